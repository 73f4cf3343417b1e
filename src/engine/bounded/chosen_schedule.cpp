// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "engine/bounded/chosen_schedule.h"

#include "memory/machine/machine.h"
#include "program/run/interpreter.h"

#include <deque>
#include <map>
#include <utility>
#include <vector>

namespace heddle::engine::bounded {

using execution::Schedule;
using execution::Transition;

namespace {

/// The run of a walk is shorter; this ends one that has gone astray.
constexpr std::size_t kMostTransitions = 1U << 22U;

} // namespace

Schedule make_schedule(const spec::Task& task, std::span<const Chosen> chosen) {
  program::InterpreterOptions options;
  options.malloc_may_fail = task.malloc_may_fail;
  options.reuse_freed_blocks = task.reuse_freed_blocks;
  options.exhaustive_bits = task.bounds.nondet_bits;
  const program::Interpreter interpreter(*task.program, options);
  const std::unique_ptr<memory::Machine> machine =
      memory::Machine::make(*task.model.machine, interpreter);
  std::map<std::pair<program::ProcedureId, std::uint32_t>, std::deque<std::uint64_t>> values;
  for (const Chosen& one : chosen)
    values[{one.procedure, one.edge}].push_back(one.value);

  Schedule schedule;
  memory::MachineState state;
  if (!machine->initial(state).is_none())
    return schedule;
  while (schedule.size() < kMostTransitions && state.core.threads[0].is_live()) {
    const program::Request request = interpreter.request(state.core, 0);
    std::vector<Transition> possible;
    const bool is_complete = machine->steps(state, 0, request, possible);
    if (possible.empty()) // what waits for the store buffer
      machine->flushes(state, 0, possible);
    if (possible.empty())
      break;
    Transition next = possible.front();
    if (request.edge != nullptr && next.kind == Transition::Kind::kStep &&
        (possible.size() > 1 || !is_complete)) {
      const program::ProcedureId procedure = state.core.threads[0].procedure(0);
      const auto edge = static_cast<std::uint32_t>(
          request.edge - task.program->procedures[procedure].edges.data());
      if (std::deque<std::uint64_t>& here = values[{procedure, edge}]; !here.empty()) {
        next.choice = here.front();
        here.pop_front();
      }
    }
    schedule.push_back(next);
    if (!machine->apply(state, next).is_none())
      break;
  }
  return schedule;
}

} // namespace heddle::engine::bounded
