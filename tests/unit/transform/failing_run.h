// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Runs of small programs on the machine of SC, for tests of what carries runs back.
#pragma once

#include "execution/run.h"
#include "memory/machine/machine.h"
#include "program/model/program.h"
#include "program/run/interpreter.h"

#include <memory>
#include <optional>
#include <vector>

namespace heddle::transform {

/// The first run, depth first, that ends in a fault of the kind.
inline std::optional<execution::Schedule> find_run(const program::Program& program,
                                                   program::FaultKind kind) {
  const program::Interpreter interpreter(program, {});
  const auto machine = memory::Machine::make(memory::MachineKind::kSequential, interpreter);
  execution::Schedule schedule;
  std::vector<std::vector<execution::Transition>> open;
  std::vector<memory::MachineState> states(1);
  if (!machine->initial(states[0]).is_none())
    return std::nullopt;
  const auto expand = [&] {
    std::vector<execution::Transition> moves;
    for (program::ThreadIndex t = 0; t < states.back().core.threads.size(); ++t)
      if (!states.back().core.has_ended && states.back().core.threads[t].is_live())
        (void)machine->steps(states.back(), t, interpreter.request(states.back().core, t), moves);
    open.push_back(std::move(moves));
  };
  expand();
  while (!open.empty()) {
    if (open.back().empty()) {
      open.pop_back();
      states.pop_back();
      if (!schedule.empty())
        schedule.pop_back();
      continue;
    }
    const execution::Transition move = open.back().back();
    open.back().pop_back();
    memory::MachineState next = states.back();
    const program::Fault fault = machine->apply(next, move);
    if (fault.kind == kind) {
      schedule.push_back(move);
      return schedule;
    }
    if (!fault.is_none())
      continue;
    schedule.push_back(move);
    states.push_back(std::move(next));
    expand();
  }
  return std::nullopt;
}

/// How the run ends; kTrap where a step cannot be taken.
inline program::FaultKind replay(const program::Program& program,
                                 const execution::Schedule& schedule) {
  const program::Interpreter interpreter(program, {});
  const auto machine = memory::Machine::make(memory::MachineKind::kSequential, interpreter);
  memory::MachineState state;
  (void)machine->initial(state);
  for (const execution::Transition& move : schedule) {
    if (!machine->is_enabled(state, move))
      return program::FaultKind::kTrap;
    if (const program::Fault fault = machine->apply(state, move); !fault.is_none())
      return fault.kind;
  }
  return program::FaultKind::kNone;
}

} // namespace heddle::transform
