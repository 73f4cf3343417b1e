// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "check/run/deadlock.h"

#include "memory/machine/standstill.h"

#include <algorithm>

namespace heddle::check {

namespace {

SourceLoc
place_of(const Ground& ground, const memory::MachineState& state, program::ThreadIndex thread) {
  const program::Request request = ground.interpreter().request(state.core, thread);
  if (request.edge != nullptr && request.edge->loc.is_known())
    return request.edge->loc;
  const program::ThreadState& own = state.core.threads[thread];
  if (own.frame_count() == 0)
    return {};
  return ground.program().procedures[own.procedure(0)].locations[own.location(0)].loc;
}

/// Takes the turn; false if it is none.
bool take_turn(const Ground& ground, const memory::MachineState& state, Stuck::Entry& entry) {
  const memory::Machine& machine = ground.machine();
  memory::MachineState now = state;
  const auto is_seen = [&](const Stuck::Found& found) {
    return std::find(entry.found.begin(), entry.found.end(), found) != entry.found.end();
  };
  const memory::IdleTurn turn = memory::idle_turn(machine, state, entry.thread);
  memory::MachineState begin = state;
  for (std::size_t i = 0; i < turn.steps.size(); ++i) {
    const memory::Transition& transition = turn.steps[i];
    std::vector<memory::Transition> possible;
    if (transition.thread != entry.thread || !machine.is_enabled(now, transition) ||
        !machine.steps(
            now, entry.thread, ground.interpreter().request(now.core, entry.thread), possible) ||
        possible.size() != 1)
      return false;
    memory::StepDetail detail;
    const program::MemoryState before = now.core.memory;
    if (!machine.apply(now, transition, &detail).is_none() ||
        (now.core.memory != before && !memory::changes_only_its_own(detail.request)) ||
        now.buffers != state.buffers)
      return false;
    using Kind = program::Request::Kind;
    const Kind kind = detail.request.kind;
    const Stuck::Found found{detail.request.address, detail.value_read, detail.request.size};
    if ((kind == Kind::kLoad || kind == Kind::kReadModifyWrite || kind == Kind::kCompareExchange) &&
        detail.request.is_visible && i >= turn.lead && !is_seen(found))
      entry.found.push_back(found);
    if (i + 1 == turn.lead)
      begin = now;
  }
  entry.loc = place_of(ground, begin, entry.thread);
  return !turn.steps.empty() && now == begin;
}

} // namespace

Stuck find_turning(const Ground& ground, const memory::MachineState& state) {
  const program::Interpreter& interpreter = ground.interpreter();
  Stuck stuck;
  bool is_turning = false;
  const std::int32_t owner = state.core.atomic_owner;
  if (state.core.has_ended)
    return stuck;
  for (const memory::StoreBuffer& buffer : state.buffers)
    if (!buffer.stores.empty())
      return stuck;
  for (program::ThreadIndex thread = 0; thread < state.core.threads.size(); ++thread) {
    if (!state.core.threads[thread].is_live())
      continue;
    Stuck::Entry entry;
    entry.thread = thread;
    entry.loc = place_of(ground, state, thread);
    const program::Request request = interpreter.request(state.core, thread);
    if (owner >= 0 && owner != static_cast<std::int32_t>(thread)) {
      entry.wait.reason = program::Wait::Reason::kAtomicSection;
      entry.wait.releasers = 1ULL << owner;
    } else if (const std::optional<program::Wait> wait =
                   interpreter.blocked(state.core, thread, request)) {
      entry.wait = *wait;
    } else {
      entry.is_turning = true;
      is_turning = true;
      if (!take_turn(ground, state, entry))
        return {};
    }
    stuck.threads |= 1ULL << thread;
    stuck.waits.push_back(std::move(entry));
  }
  return is_turning ? stuck : Stuck{};
}

Stuck find_stuck(const Ground& ground, const memory::MachineState& state) {
  const program::Interpreter& interpreter = ground.interpreter();
  const auto& threads = state.core.threads;
  Stuck stuck;
  if (state.core.has_ended)
    return stuck;

  const std::int32_t owner = state.core.atomic_owner;
  std::uint64_t live = 0;
  // A thread may have two reasons to wait; one that never ends is enough.
  std::vector<Stuck::Entry> blocked;
  for (program::ThreadIndex thread = 0; thread < threads.size(); ++thread) {
    if (!threads[thread].is_live())
      continue;
    live |= 1ULL << thread;
    const SourceLoc loc = place_of(ground, state, thread);
    if (owner >= 0 && owner != static_cast<std::int32_t>(thread)) {
      program::Wait wait;
      wait.reason = program::Wait::Reason::kAtomicSection;
      wait.releasers = 1ULL << owner;
      blocked.push_back({thread, wait, loc});
    }
    if (thread < state.buffers.size() && !state.buffers[thread].stores.empty())
      continue; // its stores can still reach memory
    const program::Request request = interpreter.request(state.core, thread);
    if (const std::optional<program::Wait> wait = interpreter.blocked(state.core, thread, request))
      blocked.push_back({thread, *wait, loc});
  }
  const auto is_permanent = [&](const Stuck::Entry& entry) {
    return (entry.wait.releasers & live & ~stuck.threads) == 0;
  };
  for (const Stuck::Entry& entry : blocked)
    stuck.threads |= 1ULL << entry.thread;
  for (std::uint64_t last = 0; last != stuck.threads;) {
    last = stuck.threads;
    std::uint64_t kept = 0;
    for (const Stuck::Entry& entry : blocked)
      if ((stuck.threads >> entry.thread & 1U) != 0 && is_permanent(entry))
        kept |= 1ULL << entry.thread;
    stuck.threads = kept;
  }
  for (const Stuck::Entry& entry : blocked)
    if ((stuck.threads >> entry.thread & 1U) != 0 && is_permanent(entry))
      stuck.waits.push_back(entry);
  stuck.is_partial = stuck.threads != 0 && stuck.threads != live;
  return stuck;
}

} // namespace heddle::check
