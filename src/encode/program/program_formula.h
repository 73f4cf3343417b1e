// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// One formula: the executions of the program at one set of loop bounds under SC, TSO or PSO, and
// the questions that are asked of them. Which solver has it is up to whoever asks.
#pragma once

#include "encode/order/leaks.h"
#include "encode/order/lock_sections.h"
#include "encode/order/memory_formula.h"
#include "encode/order/node_order.h"
#include "encode/order/stuck.h"
#include "encode/program/event_ordering.h"
#include "program/events/event_set.h"
#include "solve/order_theory.h"
#include "solve/sat.h"
#include "spec/task.h"
#include "support/result.h"

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <unordered_map>
#include <vector>

namespace heddle::encode {

using program::EventIndex;

/// A solver that hosts a theory, if that is asked for.
using MakeSolver = std::function<std::unique_ptr<solve::Sat>(bool hosts_theory)>;

class ProgramFormula {
public:
  ProgramFormula(const spec::Task& task,
                 spec::Property property,
                 EventOrdering ordering,
                 MakeSolver make_solver);

  /// Writes down the events of the unrolled program, which outlives it.
  [[nodiscard]] Status make_events(const program::Program& program, const Budget& budget);
  /// Writes down the formula.
  [[nodiscard]] Status encode(const Budget& budget);
  /// Loops that every execution leaves only by their bound: no need to ask a solver.
  [[nodiscard]] const std::vector<EventIndex>& certain_cuts() const { return certain_cuts_; }

  /// Is one of the events of the group reached (kCheck: violated)?
  enum class Goal : std::uint8_t { kViolation, kUndefined, kTrap, kCut };
  /// What must hold together for the answer to be yes; nothing if it is no in any case.
  [[nodiscard]] std::optional<std::vector<logic::Literal>> question(Goal goal);
  [[nodiscard]] solve::Answer reach(Goal goal, const Budget& budget);
  /// After kSatisfiable: the events of the group that the execution reaches.
  [[nodiscard]] std::vector<EventIndex> reached(Goal goal) const;

  [[nodiscard]] const program::EventSet& set() const { return set_; }
  [[nodiscard]] std::size_t clauses() const {
    return gates_ == nullptr ? 0 : gates_->clause_count();
  }
  /// After `encode`: the theory that is part of the formula, if one is.
  [[nodiscard]] const solve::OrderTheory* theory() const { return theory_; }

protected:
  /// That an event of the group is reached, and nothing that ends the run before.
  [[nodiscard]] std::vector<logic::Literal> assumptions(logic::Literal is_reached, Goal goal);

  const spec::Task& task_;
  spec::Property property_;
  program::EventSet set_;
  std::vector<LockSection> lock_sections_;
  std::size_t left_out_ = 0; // events
  Skeleton skeleton_;
  std::unique_ptr<solve::Sat> sat_;
  std::unique_ptr<logic::Gates> gates_;
  std::unique_ptr<NodeOrder> order_;
  std::unique_ptr<MemoryEncoding> formula_;
  MemoryFormula* ordered_ = nullptr; // formula_, unless it is one of slices
  std::unique_ptr<Stuck> stuck_;     // deadlock, liveness
  std::unique_ptr<Leaks> leaks_;     // clean-up
  std::unordered_map<std::uint64_t, program::Term> variables_; // by number

private:
  struct Target {
    EventIndex event = 0;
    logic::Literal is_reached;
  };
  void reduce(ThreadOrder order);
  [[nodiscard]] Status find_targets();
  [[nodiscard]] Status find_stuck();
  [[nodiscard]] Goal goal_of(const MemoryEncoding::Misuse& misuse) const;
  [[nodiscard]] Goal goal_of(const program::StaticEvent& event) const;

  EventOrdering ordering_;
  MakeSolver make_solver_;
  const solve::OrderTheory* theory_ = nullptr;
  std::map<Goal, std::vector<Target>> targets_;
  std::vector<EventIndex> certain_cuts_;
};

/// A race or a cycle is in the whole of an execution, not where it ends.
[[nodiscard]] bool is_of_whole_run(spec::Property property);

} // namespace heddle::encode
