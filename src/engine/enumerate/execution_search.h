// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// All executions a model allows: every combination of thread runs, every source for every read,
// every order of the writes to each place, given up as soon as a monotone axiom forbids what there
// is.
#pragma once

#include "engine/enumerate/execution_skeleton.h"
#include "engine/enumerate/place_order.h"
#include "memory/bound_evaluator.h"
#include "memory/evaluator.h"
#include "spec/observed.h"
#include "verdict/verdict.h"

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace heddle::engine::enumerate {

struct SearchOptions {
  /// Count all executions; otherwise one for each final state is enough.
  bool counts = true;
  std::uint64_t kept = 0;
  /// Of the runs of the thread that has most, look only at every `parts`-th, from `part` on: parts
  /// of one enumeration that can be made at the same time and added up.
  std::size_t part = 0;
  std::size_t parts = 1;
  /// Bounds of what is not chosen yet are looked at where at least so many candidates are left.
  std::uint64_t bounds_from = 1000;
  /// Executions that end in other values of the observed places are left out; none: all count.
  std::function<bool(const std::vector<std::uint64_t>&)> admits = {};
};

struct Found {
  using Values = std::vector<std::uint64_t>; // of the observed places, in order
  struct State {
    std::uint64_t executions = 0;
  };
  std::map<Values, State> states;
  std::map<std::string, std::uint64_t> flags;
  struct Kept {
    execution::Execution execution;
    Values values;
    std::vector<std::string> flags;
  };
  std::vector<Kept> kept;
  std::uint64_t candidates = 0;    // complete executions looked at
  std::uint64_t prefixes = 0;      // incomplete ones: choices made for rf and co
  std::uint64_t cut = 0;           // of these, how many were given up because of bounds
  std::uint64_t failed_checks = 0; // executions with a failed assertion
  bool is_complete = true;         // false if the budget ran out
  bool reads_fresh = false;        // some read sees memory that is arbitrary at first, taken as 0
  std::optional<Error> error = {}; // the model makes no sense on an execution; nothing else counts
};

class Search {
public:
  Search(const program::EventSet& set,
         const Traces& traces,
         std::shared_ptr<const memory::EvaluationPlan> plan,
         const std::vector<spec::ObservedPlace>& observed,
         const SearchOptions& options,
         const Budget& budget);
  Found run();
  /// Adds what another part has found; nothing is kept in full by parts.
  static void add(Found& all, const Found& part);

private:
  [[nodiscard]] bool is_there_if_created(std::size_t thread,
                                         const std::vector<std::size_t>& shapes) const;
  void try_shapes(const std::vector<std::size_t>& shapes);
  bool settle_generators();
  void try_values(std::size_t thread, const std::vector<std::size_t>& shapes);
  void find_readable();
  [[nodiscard]] bool find_sources();
  [[nodiscard]] bool decide_axioms();
  void give_bounds(std::size_t known, const std::vector<std::vector<std::size_t>>& choices);
  [[nodiscard]] bool is_impossible(std::size_t known);
  [[nodiscard]] bool is_hopeless(std::size_t read);
  void choose_source(std::size_t read);
  [[nodiscard]] bool explains_itself() const;
  [[nodiscard]] bool reads_fresh() const;
  [[nodiscard]] bool is_read(std::size_t event) const;
  [[nodiscard]] bool is_coherent(std::size_t known);
  [[nodiscard]] bool is_update(std::size_t read, std::size_t write) const;
  bool begin_orders();
  void choose_last(std::size_t place);
  void order_writes(std::size_t place);
  bool put_last(std::size_t place, std::size_t write);
  void take_back(std::size_t place);
  void complete();
  void choose_generated(std::size_t generator);
  [[nodiscard]] std::vector<memory::ConcreteValue>
  orders_of(const memory::Generator::Coherence& how);
  void accept();
  void set_edge(memory::NodeId node, std::size_t from, std::size_t to, bool present);
  void set_co(std::size_t from, std::size_t to, bool present);
  /// Do all axioms that are fixed with that stratum hold? With `only_monotone`, only those are
  /// asked.
  [[nodiscard]] bool is_allowed(unsigned stratum, bool only_monotone) const;
  [[nodiscard]] bool extends_partial(std::size_t place) const;
  [[nodiscard]] Found::Values final_values() const;
  [[nodiscard]] bool is_stopped();

  const program::EventSet& set_;
  const Traces& traces_;
  std::shared_ptr<const memory::EvaluationPlan> plan_;
  const memory::Core& core_;
  const std::vector<spec::ObservedPlace>& observed_;
  SearchOptions options_;
  const Budget& budget_;
  memory::Evaluator evaluator_;
  std::optional<memory::BoundEvaluator> bounds_; // once asked for
  Conditions conditions_;
  std::vector<std::vector<std::vector<std::size_t>>>
      by_shape_; // thread, shape: traces of this part
  Found found_;
  std::uint64_t steps_ = 0;
  /// Where the answer to a question is seldom yes, it is not asked any more.
  class Question {
  public:
    [[nodiscard]] bool is_worth_asking() const { return asked_ <= kFree + kPerHit * hits_; }
    void note(bool is_hit) {
      ++asked_;
      hits_ += is_hit ? 1 : 0;
    }

  private:
    static constexpr std::uint64_t kFree = 32;
    static constexpr std::uint64_t kPerHit = 8;
    std::uint64_t asked_ = 0;
    std::uint64_t hits_ = 0;
  };
  Question hopeless_;
  Question impossible_;
  bool needs_one_each_ = false; // one execution for each final state is enough
  bool has_monotone_rf_ = false;
  bool has_monotone_co_ = false;

  // The combination at hand.
  Skeleton skeleton_;
  std::vector<const Trace*> chosen_;                 // by thread
  std::vector<std::uint64_t> values_;                // by event
  std::vector<bool> is_decided_;                     // by axiom: it holds whatever is chosen
  bool has_bounds_ = false;                          // bounds_ is about these events
  std::vector<std::vector<std::size_t>> readable_;   // by read: writes it might see
  std::vector<std::vector<std::size_t>> candidates_; // those with the value at hand
  std::vector<std::uint64_t> completions_;       // by read: candidates if all before have a source
  std::uint64_t order_count_ = 1;                // of ways to order the writes to all places
  std::vector<std::size_t> sources_;             // by read: the write
  std::vector<std::vector<std::size_t>> orders_; // by place: the writes, last first
  std::vector<PlaceOrder> forced_;               // by place: what coherence leaves of its orders
  std::vector<std::vector<std::uint64_t>> partials_; // what each generated order contains
  bool is_found_ = false;                            // an execution with the final state at hand
};

} // namespace heddle::engine::enumerate
