// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Loops that end whatever happens: constants are followed around them until no way leads back to
// the head. `for (i = 0; i < n; ++i)` with a constant n is one, so is `for (k = 1; k < 64; k *=
// 2)`, and a loop that may also end earlier. What memory holds is not known here.
#pragma once

#include "program/model/control_flow.h"
#include "program/model/program.h"
#include "support/budget_watch.h"

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

namespace heddle::transform {

/// By local: the number it holds whatever way was taken.
using Constants = std::map<program::LocalId, std::uint64_t>;

/// What is known of one loop.
struct KnownTurns {
  /// By turn: the ways that no run takes in it. After the last turn none leads back to the head.
  std::vector<std::vector<std::uint32_t>> closed;
  /// Nothing but computations that are known: all that comes of them, and where they end.
  struct Result {
    Constants values;
    program::LocationId end;
  };
  std::optional<Result> result = {};
  /// How many edges the copies have.
  std::size_t edges = 0;
};

class TurnCounter {
public:
  /// `parameters`: what the procedure is always called with. All outlive it. When the budget is
  /// used up, nothing is known of any loop.
  TurnCounter(program::Program& program,
              const program::Procedure& procedure,
              const std::vector<program::Loop>& loops,
              const Constants& parameters,
              const Budget* budget);

  /// Nothing if the loop may go on for ever, or for more edges than that, as far as constants tell.
  /// One that only computes may be longer.
  [[nodiscard]] std::optional<KnownTurns> count(const program::Loop& loop, std::size_t most_edges);
  /// A turn of the loop that no run completes, since an access in every turn goes on through memory
  /// and would be beyond the end of every object it may be in.
  [[nodiscard]] std::optional<std::uint64_t> last_turn_in_objects(const program::Loop& loop);

private:
  /// What one way through a part of the procedure has shown.
  struct Pass {
    std::optional<Constants> back = {}; // where an edge leads back to the start
    std::vector<std::uint32_t> closed = {};
    bool is_decided = false; // a way out of the part depended on values, and was not open
    bool is_single = true;   // there was one way only, of computations that are known
    std::optional<KnownTurns::Result> left = {}; // where that way has left the part
    bool is_straight = true;                     // there was one way back to the start at most
    std::vector<std::pair<std::uint32_t, program::Term>> accesses = {}; // by edge: the address
    std::size_t steps = 0;
  };
  /// Through the locations in that order, each once; inner loops are taken as any number of turns.
  Pass follow(const std::vector<program::LocationId>& order,
              const program::Loop* part,
              const Constants& first);
  void leave(program::LocationId location,
             const program::Loop* part,
             const Constants& values,
             Pass& pass);
  [[nodiscard]] bool compute(const program::Action& action, Constants& values);
  /// Runs the loop, and the loops in it, if it does nothing but compute what is known.
  [[nodiscard]] std::optional<KnownTurns::Result> run_alone(const program::Loop& loop,
                                                            Constants values);
  [[nodiscard]] std::optional<std::uint32_t> only_way(program::LocationId location,
                                                      const Constants& values);
  void choose_tracked();
  [[nodiscard]] program::Term with(program::Term term, const Constants& values);
  [[nodiscard]] std::optional<std::uint64_t> value_of(program::Term term, const Constants& values);
  [[nodiscard]] std::vector<program::LocationId> order_of(const program::Loop& loop) const;
  [[nodiscard]] std::optional<std::uint64_t> largest_object(const program::Access& access) const;

  const program::Program& program_;
  logic::TermStore& terms_;
  const program::Procedure& procedure_;
  std::vector<program::LocationId> order_; // back edges left out, each before those it leads to
  std::set<std::uint32_t> back_edges_;
  /// By loop head: what is assigned in the body.
  std::map<program::LocationId, std::vector<program::LocalId>> changed_;
  /// Heads that are not the only way into the loop: there nothing is known.
  std::set<program::LocationId> passed_by_;
  std::vector<bool> tracked_;                         // by local: loops may depend on it
  std::map<program::LocationId, Constants> at_entry_; // by loop head, from outside the loop
  std::vector<std::optional<Constants>> at_;          // by location, while something is followed
  BudgetWatch watch_;
};

/// By procedure: what its parameters are in every call, where that is a constant.
[[nodiscard]] std::vector<Constants> constant_parameters(const program::Program& program);

} // namespace heddle::transform
