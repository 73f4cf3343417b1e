// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// One formula: the program at one set of loop bounds, and what a solver says of it.
#pragma once

#include "encode/order/leaks.h"
#include "encode/order/lock_sections.h"
#include "encode/order/memory_formula.h"
#include "encode/order/node_order.h"
#include "encode/order/stuck.h"
#include "engine/axiomatic/axiomatic.h"
#include "engine/axiomatic/schedule_of_execution.h"
#include "engine/engine.h"
#include "program/events/event_set.h"
#include "solve/sat.h"
#include "spec/task.h"
#include "support/result.h"
#include "transform/basic/transform.h"
#include "transform/basic/unroll.h"
#include "verdict/reached.h"

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace heddle::engine::axiomatic {

using program::EventIndex;

/// The program unrolled and without calls (but those of procedures whose locals in memory stay),
/// and the way back.
struct Unrolled {
  std::vector<transform::Transformed> stages; // in the order in which they were applied
  [[nodiscard]] const program::Program& program() const { return stages.back().program; }
  [[nodiscard]] Result<execution::Schedule> lift(execution::Schedule schedule) const;
};
[[nodiscard]] Result<Unrolled> unroll(const program::Program& program,
                                      const spec::Bounds& bounds,
                                      const Budget& budget,
                                      const transform::Transform* before_unrolling = nullptr,
                                      transform::InlineSlots slots = transform::InlineSlots::kNone,
                                      std::size_t most_run_out = transform::kMostRunOut);

class ProgramFormula {
public:
  ProgramFormula(const spec::Task& task, spec::Property property, const AxiomaticOptions& options);

  /// Writes down the events of the unrolled program, which outlives it.
  [[nodiscard]] Status make_events(const program::Program& program, const Budget& budget);
  /// Writes down the formula.
  [[nodiscard]] Status encode(const Budget& budget);
  /// Loops that every execution leaves only by their bound: no need to ask a solver.
  [[nodiscard]] const std::vector<EventIndex>& certain_cuts() const { return certain_cuts_; }

  /// Is one of the events of the group reached (kCheck: violated)?
  enum class Goal : std::uint8_t { kViolation, kUndefined, kTrap, kCut };
  [[nodiscard]] solve::Answer reach(Goal goal, const Budget& budget);
  /// After kSatisfiable: the events of the group that the execution reaches.
  [[nodiscard]] std::vector<EventIndex> reached(Goal goal) const;
  /// After kSatisfiable for a violation: as a schedule of the unrolled program, if it has one.
  [[nodiscard]] Result<execution::Schedule> schedule() const;

  /// Adds what executions without undefined behaviour come to.
  void note_reached(verdict::Reached& known, const Budget& budget);

  [[nodiscard]] const program::EventSet& set() const { return set_; }
  void count(verdict::Statistics& statistics) const;
  [[nodiscard]] std::size_t clauses() const {
    return gates_ == nullptr ? 0 : gates_->clause_count();
  }

private:
  struct Target {
    EventIndex event = 0;
    logic::Literal is_reached;
  };
  void reduce(encode::ThreadOrder order);
  [[nodiscard]] EventIndex first_violation(const std::vector<encode::Node>& order) const;
  [[nodiscard]] Status find_targets();
  [[nodiscard]] Status find_stuck();
  void stop_at_state(SolvedExecution& solved) const;
  void end_run(SolvedExecution& solved) const;
  [[nodiscard]] std::uint64_t value(program::Term term, const logic::LiteralValues& model) const;
  [[nodiscard]] solve::Answer
  ask(logic::Literal is_reached, Goal goal, const solve::Limits& limits);
  [[nodiscard]] Goal goal_of(const encode::MemoryEncoding::Misuse& misuse) const;
  [[nodiscard]] Goal goal_of(const program::StaticEvent& event) const;

  const spec::Task& task_;
  spec::Property property_;
  AxiomaticOptions options_;
  program::EventSet set_;
  std::vector<encode::LockSection> lock_sections_;
  std::size_t left_out_ = 0; // events
  encode::Skeleton skeleton_;
  std::unique_ptr<solve::Sat> sat_;
  std::unique_ptr<logic::Gates> gates_;
  std::unique_ptr<encode::NodeOrder> order_;
  std::unique_ptr<encode::MemoryEncoding> formula_;
  encode::MemoryFormula* ordered_ = nullptr; // formula_, unless it is one of slices
  std::unique_ptr<encode::Stuck> stuck_;     // deadlock, liveness
  std::unique_ptr<encode::Leaks> leaks_;     // clean-up
  std::map<Goal, std::vector<Target>> targets_;
  std::vector<EventIndex> certain_cuts_;
  std::unordered_map<std::uint64_t, program::Term> variables_; // by number
};

} // namespace heddle::engine::axiomatic
