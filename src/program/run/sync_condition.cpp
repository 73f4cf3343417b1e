// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Condition variables and barriers: the threads that wait say so in their own state, the objects
// hold next to nothing.
#include "program/model/sync_layout.h"
#include "program/run/interpreter_code.h"

#include <algorithm>

namespace heddle::program {

using namespace sync_layout;

bool Interpreter::Code::is_waiting_on(const State& state,
                                      ThreadIndex thread,
                                      std::uint64_t condition) const {
  const ThreadState& waiting = state.threads[thread];
  return layout::status(waiting) == ThreadStatus::kWaitingOnCondition &&
         waiting.words[layout::kExtra] == condition;
}

Fault Interpreter::Code::condition_wait(State& state,
                                        ThreadIndex thread,
                                        const Request& request) const {
  (void)mutex_unlock(state, thread, request.value, false); // the thread holds it: sync_fault
  ThreadState& self = state.threads[thread];
  layout::set_status(self, ThreadStatus::kWaitingOnCondition);
  self.words[layout::kExtra] = request.address;
  zero_dead_locals(self);
  return {};
}

void Interpreter::Code::wake(State& state, ThreadIndex thread) const {
  ThreadState& waiting = state.threads[thread];
  layout::set_status(waiting, ThreadStatus::kReacquiring);
  waiting.words[layout::kExtra] = 0;
}

void Interpreter::Code::reacquire(State& state, ThreadIndex thread, const Request& request) const {
  ThreadState& self = state.threads[thread];
  mutex_take(state, thread, request.address);
  const bool is_late = (self.words[layout::kHeader] & layout::kTimedOut) != 0;
  self.words[layout::kHeader] &= ~layout::kTimedOut;
  layout::set_status(self, ThreadStatus::kRunning);
  const CompiledEdge& at = edge(self);
  set_local(self, at, is_late ? kErrorTimedOut : 0);
  advance(self, at);
}

void Interpreter::Code::barrier_arrive(State& state,
                                       ThreadIndex thread,
                                       const CompiledEdge& at,
                                       std::uint64_t barrier) const {
  ThreadState& self = state.threads[thread];
  const std::uint32_t arrived = word(state, barrier + kBarrierArrived) + 1;
  const std::uint32_t generation = word(state, barrier + kBarrierGeneration);
  if (arrived < word(state, barrier + kBarrierThreshold)) {
    set_word(state, barrier + kBarrierArrived, arrived);
    layout::set_status(self, ThreadStatus::kWaitingAtBarrier);
    self.words[layout::kExtra] = generation;
    zero_dead_locals(self);
    return;
  }
  // The last one opens the barrier. The new generation is the least that nobody who waits here
  // arrived in (threads of earlier generations may not have left yet), so that the numbers stay few
  // and states recur.
  std::uint32_t next = 0;
  const auto is_awaited = [&](std::uint32_t candidate) {
    for (ThreadIndex i = 0; i < state.threads.size(); ++i) {
      const ThreadState& other = state.threads[i];
      if (layout::status(other) == ThreadStatus::kWaitingAtBarrier &&
          other.words[layout::kExtra] == candidate && evaluate(edge(other).a, other, i) == barrier)
        return true;
    }
    return false;
  };
  while (next == generation || is_awaited(next))
    ++next;
  set_word(state, barrier + kBarrierArrived, 0);
  set_word(state, barrier + kBarrierGeneration, next);
  set_local(self, at, ~0ULL); // PTHREAD_BARRIER_SERIAL_THREAD
  advance(self, at);
}

} // namespace heddle::program
