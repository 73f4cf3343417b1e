// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// One run of the explicit engine: explores the states of a task until something is found,
// everything was seen, or the budget is used up, and says what that means.
#pragma once

#include "engine/explicit/counter_abstraction.h"
#include "engine/explicit/explicit.h"
#include "engine/explicit/monitor.h"
#include "engine/explicit/reduction.h"
#include "engine/explicit/state_store.h"
#include "engine/explicit/stepper.h"
#include "engine/explicit/symmetry.h"
#include "spec/observed.h"

#include <ctime>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace heddle::engine {

class Search {
public:
  /// kAnyNumber explores states that stand for any number of threads (counter_abstraction.h); all
  /// it can say is that the property holds.
  enum class Threads : std::uint8_t { kEach, kAnyNumber };

  Search(const spec::Task& task,
         const Context& context,
         const ExplicitOptions& options,
         Threads threads = Threads::kEach);
  [[nodiscard]] verdict::Verdict run();
  /// For kAnyNumber: does the program create more threads than a run can have, and is it one whose
  /// threads can be counted?
  [[nodiscard]] bool can_count_threads() const;

private:
  // state_search.cpp: the loop.
  void explore();
  [[nodiscard]] StateId next_to_expand(); // kNoState: none is left
  [[nodiscard]] StateId take_newest();
  [[nodiscard]] StateId take_oldest();
  void expand(StateId id);
  [[nodiscard]] bool expand_reduced(StateId id);
  void settle_successors(StateId id, bool is_reduced);
  void settle_crowd(StateId id);
  [[nodiscard]] bool leads_to_open_state();
  [[nodiscard]] bool is_over_budget();
  void report_progress();
  [[nodiscard]] bool is_done() const { return violation_.has_value() || stopped_ || is_doubtful_; }

  // search_properties.cpp: what a state or a fault means for what is asked.
  void judge_end(StateId id, const Stepper::End& end);
  void judge_state(StateId id);
  void judge_final(StateId id, const memory::MachineState& state);
  void add_outcome(const memory::MachineState& state);
  [[nodiscard]] bool asks(spec::Property property) const { return property_ == property; }

  // search_races.cpp: accesses that stand side by side.
  class WatchedRun;
  void judge_races(StateId id);
  [[nodiscard]] bool may_conflict(ThreadIndex a, ThreadIndex b);
  [[nodiscard]] bool report_race(StateId id, ThreadIndex first, ThreadIndex second);
  [[nodiscard]] bool races_before_section(const execution::Schedule& schedule,
                                          ThreadIndex a,
                                          ThreadIndex b,
                                          WatchedRun& run) const;
  [[nodiscard]] bool races_after(ThreadIndex a, ThreadIndex b, WatchedRun& run);
  [[nodiscard]] std::uint32_t earlier_access(const execution::Schedule& schedule,
                                             const MonitorHit& hit) const;

  // search_schedule.cpp: how a state was reached.
  void judge_hit(StateId id, const Stepper::Hit& hit);
  class RealRun;
  [[nodiscard]] execution::Schedule schedule_to(StateId id, Permutation& permutation);
  void report(StateId id, const std::vector<Transition>& last, verdict::ViolationKind kind);
  [[nodiscard]] memory::MachineState replay(const execution::Schedule& schedule) const;

  // search_verdict.cpp
  [[nodiscard]] verdict::Answer answer() const;
  /// Why a set of outcomes is not complete.
  void add_reasons(Approximations& approximations) const;
  [[nodiscard]] verdict::NeverReached never_reached() const;
  [[nodiscard]] verdict::Statistics statistics() const;

  const spec::Task& task_;
  const Context& context_;
  ExplicitOptions options_;
  std::optional<spec::Property> property_; // none: final states are enumerated
  std::uint64_t max_states_ = 0;

  std::vector<std::vector<bool>> evaluated_checks_; // by procedure and edge
  program::Interpreter interpreter_;
  std::unique_ptr<memory::Machine> machine_;
  std::unique_ptr<Monitor> monitor_;
  StateStore store_;
  Stepper stepper_;
  std::optional<Reduction> reduction_;
  Symmetry symmetry_;
  std::optional<CounterAbstraction> counter_abstraction_; // for any number of threads
  bool tests_adjacency_ = false;

  StateId oldest_ = kNoState; // breadth-first has come to it
  StateId level_last_ = kNoState;
  std::vector<StateId> stack_; // found depth-first; some may have been expanded since
  bool goes_deep_ = false;     // what is found now goes there
  Tuple tuple_;

  std::uint64_t expanded_ = 0;
  std::uint64_t reduced_ = 0;
  std::uint64_t transitions_ = 0;
  std::uint64_t depth_ = 0;
  StateId newest_ = 0;
  std::clock_t started_ = 0;
  std::chrono::steady_clock::time_point last_progress_;
  bool stopped_ = false;
  std::optional<Exhausted> exhausted_;
  bool hit_max_states_ = false;

  std::optional<verdict::Violation> violation_;
  bool is_doubtful_ = false; // a state that stands for many has what one of them may not have
  std::optional<Fault> undefined_;
  std::optional<Fault> trap_;
  std::set<std::string> cuts_;
  bool some_run_completes_ = false;
  std::set<verdict::Outcome> outcomes_;
  std::vector<spec::ObservedPlace> observed_;
};

/// Is testing whether two conflicting accesses are next to each other enough to find every data
/// race?
[[nodiscard]] bool is_adjacency_enough(const program::Program& program);

} // namespace heddle::engine
