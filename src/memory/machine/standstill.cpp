// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "memory/machine/standstill.h"

#include <algorithm>
#include <optional>

namespace heddle::memory {

namespace {

/// Steps of one turn. A loop that takes longer is not taken for one that only waits.
constexpr std::size_t kLongestTurn = 2000;
/// Most turns begin where the thread is, and are over by then.
constexpr std::size_t kFirstMove = 64;

bool is_drained(const MachineState& state) {
  return std::all_of(state.buffers.begin(), state.buffers.end(), [](const StoreBuffer& buffer) {
    return buffer.stores.empty();
  });
}

/// Has the thread changed nothing but itself?
bool is_unchanged_for_others(const MachineState& a, const MachineState& b, ThreadIndex thread) {
  if (a.core.threads.size() != b.core.threads.size() || a.core.memory != b.core.memory ||
      a.core.has_ended != b.core.has_ended)
    return false;
  for (ThreadIndex other = 0; other < a.core.threads.size(); ++other)
    if (other != thread && a.core.threads[other] != b.core.threads[other])
      return false;
  return true;
}

} // namespace

bool changes_only_its_own(const program::Request& request) {
  using Kind = program::Request::Kind;
  return request.kind == Kind::kLoad || request.kind == Kind::kFence ||
         ((request.kind == Kind::kStore || request.kind == Kind::kLocal) && !request.is_visible);
}

IdleTurn idle_turn(const Machine& machine, const MachineState& state, ThreadIndex thread) {
  IdleTurn turn;
  if (!is_drained(state))
    return {};
  MachineState now = state;
  MachineState before = state;
  MachineState begin = state; // moved on, further and further (R. Brent, 1980)
  std::size_t next = kFirstMove;
  std::vector<Transition> possible;
  while (turn.steps.size() < kLongestTurn) {
    const program::Request request = machine.interpreter().request(now.core, thread);
    // A store of what is there already is a store: it would wait in a buffer, if there is one.
    if (request.kind == program::Request::Kind::kStore && request.is_visible)
      return {};
    possible.clear();
    if (!machine.steps(now, thread, request, possible) || possible.size() != 1)
      return {};
    if (!machine.apply(now, possible.front()).is_none())
      return {};
    turn.steps.push_back(possible.front());
    if (changes_only_its_own(request))
      before.core.memory = now.core.memory;
    if (!is_drained(now) || !is_unchanged_for_others(before, now, thread) ||
        !now.core.threads[thread].is_live())
      return {};
    if (now == begin)
      return turn;
    if (turn.steps.size() == next) {
      begin = now;
      turn.lead = next;
      next *= 2;
    }
  }
  return {};
}

Standstill find_standstill(const Machine& machine, const MachineState& state) {
  Standstill found;
  const program::State& core = state.core;
  if (core.has_ended || !is_drained(state))
    return found;
  // Those that are blocked are cheaper to find.
  std::vector<ThreadIndex> others;
  for (ThreadIndex thread = 0; thread < core.threads.size(); ++thread) {
    if (!core.threads[thread].is_live())
      continue;
    const program::Request request = machine.interpreter().request(core, thread);
    const bool is_kept_back = // by somebody's open atomic section
        core.atomic_owner >= 0 && core.atomic_owner != static_cast<std::int32_t>(thread);
    if (is_kept_back || machine.interpreter().blocked(core, thread, request))
      found.blocked |= 1ULL << thread;
    else
      others.push_back(thread);
  }
  for (const ThreadIndex thread : others) {
    // Before that there is a state further on in which it is there.
    if (const IdleTurn turn = idle_turn(machine, state, thread);
        turn.steps.empty() || turn.lead != 0)
      return {};
    found.turning |= 1ULL << thread;
  }
  return found;
}

} // namespace heddle::memory
