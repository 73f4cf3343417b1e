// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "check/deadlock.h"

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

} // namespace

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
