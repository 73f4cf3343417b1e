// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "check/execution/execution_state.h"

#include "check/run/deadlock.h"
#include "check/run/namer.h"
#include "program/model/sync_kinds.h"

#include <fmt/format.h>

#include <utility>
#include <variant>
#include <vector>

namespace heddle::check {

namespace {

using verdict::Waiting;

std::string
what_is_found(const Namer& namer, const program::MemoryState& memory, const Stuck::Entry& entry) {
  std::string text;
  for (const Stuck::Found& found : entry.found)
    text += fmt::format("{}{} to be other than {}",
                        text.empty() ? "" : " or ",
                        namer.name(memory, found.address, found.size),
                        namer.value(memory, found.value, found.size, found.address));
  return text;
}

/// Steps from the head of a loop to the first that reads. A loop with more is not taken for one
/// that only waits.
constexpr unsigned kLongestWay = 64;

/// The replay keeps locals that nobody reads any more, and the machine does not: a thread that goes
/// around is taken further, past the first step that reads, to where both agree. An update may
/// write what is there already, and an attempt to take a lock fails.
void settle_turn(const Ground& ground,
                 memory::MachineState& state,
                 const program::ThreadIndex thread) {
  using Kind = program::Request::Kind;
  memory::MachineState next = state;
  for (unsigned steps = 0; steps < kLongestWay; ++steps) {
    const program::Request request = ground.interpreter().request(next.core, thread);
    const auto* sync = request.kind == Kind::kSynchronize && request.edge != nullptr
                           ? std::get_if<program::Synchronize>(&request.edge->action)
                           : nullptr;
    const bool reads = request.kind == Kind::kLoad || request.kind == Kind::kReadModifyWrite ||
                       request.kind == Kind::kCompareExchange ||
                       (sync != nullptr && is_attempt(sync->op));
    std::vector<memory::Transition> possible;
    if ((!reads && request.kind != Kind::kFence && request.kind != Kind::kLocal) ||
        !ground.machine().steps(next, thread, request, possible) || possible.size() != 1 ||
        !ground.machine().apply(next, possible.front()).is_none() ||
        next.core.memory != state.core.memory)
      return;
    if (!reads)
      continue;
    state = std::move(next);
    return;
  }
}

void settle_turns(const Ground& ground, memory::MachineState& state) {
  for (program::ThreadIndex thread = 0; thread < state.core.threads.size(); ++thread)
    if (state.core.threads[thread].is_live())
      settle_turn(ground, state, thread);
}

} // namespace

Result<verdict::Deadlock> confirm_waits(const spec::Task& task,
                                        const ExecutionReplay& replay,
                                        spec::Property property,
                                        verdict::Evidence& evidence) {
  spec::Task ground_task = task;
  ground_task.program = &replay.program();
  Result<memory::Model> sequential = memory::find_model("sc");
  if (!sequential)
    return sequential.error();
  ground_task.model = std::move(*sequential);
  const Ground ground(ground_task);
  memory::MachineState state;
  if (!ground.machine().initial(state).is_none())
    return Error{ErrorKind::kUnsupported, "CHECK-018", "the program fails before it starts"};
  state.core = replay.final_state();
  settle_turns(ground, state);
  const Stuck stuck = property == spec::Property::kLiveness ? find_turning(ground, state)
                                                            : find_stuck(ground, state);
  if (stuck.threads == 0)
    return Error{ErrorKind::kUnsupported,
                 "CHECK-018",
                 "the execution is allowed, but somebody can go on after it"};
  const Namer namer(ground.interpreter());
  const std::vector<std::string> names = replay.thread_names();
  for (const Stuck::Entry& entry : stuck.waits) {
    Waiting waiting;
    waiting.thread = entry.thread;
    waiting.reason = entry.is_turning ? "in a loop" : to_string(entry.wait.reason);
    waiting.loc = entry.loc;
    for (program::ThreadIndex thread = 0; thread < state.core.threads.size(); ++thread)
      if ((entry.wait.releasers >> thread & 1U) != 0 && thread != entry.thread &&
          state.core.threads[thread].is_live())
        waiting.for_threads.push_back(thread);
    if (entry.is_turning)
      waiting.name = what_is_found(namer, state.core.memory, entry);
    else if (entry.wait.reason != program::Wait::Reason::kJoin)
      waiting.name = namer.name(state.core.memory, entry.wait.address, 1);
    else if (!waiting.for_threads.empty() && waiting.for_threads.front() < names.size())
      waiting.name = names[waiting.for_threads.front()];
    evidence.waiting.push_back(std::move(waiting));
  }
  evidence.is_partial = stuck.is_partial;
  return verdict::Deadlock{stuck.threads, stuck.is_partial};
}

} // namespace heddle::check
