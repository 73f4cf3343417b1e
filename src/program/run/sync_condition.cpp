// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Condition variables and barriers: the threads that wait say so in their own state, the objects
// hold next to nothing.
#include "program/run/interpreter_code.h"

namespace heddle::program {

bool Interpreter::Code::is_waiting_on(const State& state,
                                      ThreadIndex thread,
                                      std::uint64_t condition) const {
  const ThreadState& waiting = state.threads[thread];
  return layout::status(waiting) == ThreadStatus::kWaitingOnCondition &&
         waiting.words[layout::kExtra] == condition;
}

/// One of those who wait is `choice`.
void Interpreter::Code::wake(State& state,
                             std::uint64_t condition,
                             Wakes whom,
                             std::uint64_t choice) const {
  for (ThreadIndex i = 0; i < state.threads.size(); ++i) {
    if ((whom == Wakes::kOne && i != choice) || !is_waiting_on(state, i, condition))
      continue;
    layout::set_status(state.threads[i], ThreadStatus::kReacquiring);
    state.threads[i].words[layout::kExtra] = 0;
  }
}

/// The generation of a barrier that opens: the least that nobody who waits there arrived in
/// (threads of earlier generations may not have left yet), so that the numbers stay few and states
/// recur.
std::uint32_t Interpreter::Code::free_generation(const State& state,
                                                 std::uint64_t barrier,
                                                 std::uint64_t last) const {
  const auto is_awaited = [&](std::uint32_t candidate) {
    for (ThreadIndex i = 0; i < state.threads.size(); ++i) {
      const ThreadState& other = state.threads[i];
      if (layout::status(other) == ThreadStatus::kWaitingAtBarrier &&
          other.words[layout::kExtra] == candidate && evaluate(edge(other).a, other, i) == barrier)
        return true;
    }
    return false;
  };
  std::uint32_t next = 0;
  while (next == last || is_awaited(next))
    ++next;
  return next;
}

} // namespace heddle::program
