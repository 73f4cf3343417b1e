// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// The end of a run, regular or not. Deadlock as docs/semantics.md defines it: the largest set S of
// live threads, each blocked, such that every thread that could release one of them is in S or has
// ended. Found by starting from all blocked threads and dropping those with a releaser outside.
// Waiting for one's own store buffer is not being blocked.
#include "memory/machine/machine.h"

namespace heddle::memory {

bool Machine::is_final(const MachineState& state) const {
  if (state.core.has_ended)
    return true;
  for (const program::ThreadState& thread : state.core.threads)
    if (thread.is_live())
      return false;
  return true;
}

std::uint64_t Machine::deadlocked(const MachineState& state) const {
  const program::State& core = state.core;
  if (core.has_ended)
    return 0;
  std::uint64_t live = 0;
  std::uint64_t stuck = 0;
  std::uint64_t releasers[program::kMaxThreads] = {};
  for (ThreadIndex thread = 0; thread < core.threads.size(); ++thread) {
    if (!core.threads[thread].is_live())
      continue;
    const std::uint64_t bit = 1ULL << thread;
    live |= bit;
    const bool is_kept_out =
        core.atomic_owner >= 0 && core.atomic_owner != static_cast<std::int32_t>(thread);
    if (!is_kept_out && has_buffers() && !state.buffers[thread].stores.empty())
      continue; // it can still flush
    const program::Request request = interpreter_.request(core, thread);
    const std::optional<program::Wait> wait = interpreter_.blocked(core, thread, request);
    if (wait) {
      stuck |= bit;
      releasers[thread] = wait->releasers;
    } else if (is_kept_out) {
      stuck |= bit;
      releasers[thread] = 1ULL << static_cast<unsigned>(core.atomic_owner);
    }
  }
  for (bool is_changed = true; is_changed && stuck != 0;) {
    is_changed = false;
    for (ThreadIndex thread = 0; thread < core.threads.size(); ++thread) {
      const std::uint64_t bit = 1ULL << thread;
      if ((stuck & bit) != 0 && (releasers[thread] & live & ~stuck) != 0) {
        stuck &= ~bit;
        is_changed = true;
      }
    }
  }
  return stuck;
}

} // namespace heddle::memory
