// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "engine/axiomatic/one_run.h"

#include "memory/machine/machine.h"
#include "program/run/interpreter.h"
#include "spec/property.h"
#include "support/budget_watch.h"

#include <vector>

namespace heddle::engine::axiomatic {

namespace {

using execution::Schedule;
using execution::Transition;
using program::Fault;
using program::ThreadIndex;

constexpr std::size_t kMostSteps = 1'000'000;
/// A thread that waits in a loop would never let the others move.
constexpr std::size_t kMostStepsInTurn = 300'000;

class Run {
public:
  Run(const spec::Task& task, const Budget& budget)
      : watch_(&budget), interpreter_(*task.program, options_of(task)),
        machine_(memory::Machine::make(*task.model.machine, interpreter_)) {}

  /// The fault it ends in, if it does.
  Fault go() {
    Fault fault = machine_->initial(state_);
    for (bool has_moved = true; has_moved && fault.is_none();) {
      has_moved = false;
      for (ThreadIndex t = 0; t < state_.core.threads.size() && fault.is_none(); ++t)
        for (std::size_t i = 0; i < kMostStepsInTurn && fault.is_none() && may_go_on(); ++i) {
          const std::optional<Transition> next = next_of(t);
          if (!next)
            break;
          has_moved = true;
          schedule_.push_back(*next);
          fault = machine_->apply(state_, *next);
        }
      has_moved = has_moved && may_go_on();
    }
    return fault;
  }
  [[nodiscard]] Schedule schedule() && { return std::move(schedule_); }

private:
  static program::InterpreterOptions options_of(const spec::Task& task) {
    program::InterpreterOptions options;
    options.malloc_may_fail = task.malloc_may_fail;
    options.reuse_freed_blocks = task.reuse_freed_blocks;
    options.exhaustive_bits = task.bounds.nondet_bits;
    return options;
  }

  [[nodiscard]] bool may_go_on() { return !watch_.is_used_up() && schedule_.size() < kMostSteps; }

  [[nodiscard]] std::optional<Transition> next_of(ThreadIndex thread) {
    possible_.clear();
    if (machine_->has_buffers())
      machine_->flushes(state_, thread, possible_);
    if (possible_.empty() && state_.core.threads[thread].is_live())
      machine_->steps(state_, thread, interpreter_.request(state_.core, thread), possible_);
    return possible_.empty() ? std::nullopt : std::optional(possible_.front());
  }

  BudgetWatch watch_; // a step may be a long way through what no other thread sees
  program::Interpreter interpreter_;
  std::unique_ptr<memory::Machine> machine_;
  memory::MachineState state_;
  std::vector<Transition> possible_;
  Schedule schedule_;
};

} // namespace

std::optional<Schedule>
find_violating_run(const spec::Task& task, spec::Property property, const Budget& budget) {
  Run run(task, budget);
  const Fault fault = run.go();
  if (fault.is_none() || !spec::violates(property, fault.kind))
    return std::nullopt;
  return std::move(run).schedule();
}

} // namespace heddle::engine::axiomatic
