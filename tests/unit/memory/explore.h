// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// The plainest explorer there is: every state, every transition, no reduction. What the machines
// are measured with.
#pragma once

#include "memory/machine/machine.h"
#include "memory/model.h"

#include <deque>
#include <set>
#include <vector>

namespace heddle::memory_test {

using memory::Machine;
using memory::MachineKind;
using memory::MachineState;
using program::FaultKind;

using Words = std::vector<std::uint64_t>;

inline Words words_of(const MachineState& state) {
  Words words;
  const auto add = [&](const Words& more) {
    words.push_back(more.size());
    words.insert(words.end(), more.begin(), more.end());
  };
  add(state.core.memory.words);
  for (const program::ThreadState& thread : state.core.threads)
    add(thread.words);
  for (const memory::StoreBuffer& buffer : state.buffers) {
    words.push_back(buffer.epoch);
    words.push_back(buffer.stores.size());
    for (const memory::PendingStore& store : buffer.stores) {
      words.push_back(store.address);
      words.push_back(store.value);
      words.push_back(static_cast<std::uint64_t>(store.size) << 32U | store.epoch);
    }
  }
  words.push_back(static_cast<std::uint64_t>(state.core.atomic_owner + 1));
  words.push_back(state.core.has_ended ? 1 : 0);
  return words;
}

struct Explored {
  std::set<Words> outcomes; // what `observe` gave in final states
  std::set<FaultKind> faults;
  std::set<std::uint64_t> deadlocks; // sets of stuck threads
  std::size_t states = 0;
  std::size_t stuck_states = 0; // not final, and nothing enabled
  bool is_complete = true;
};

template <class Observe>
Explored explore(const program::Program& program,
                 MachineKind kind,
                 const Observe& observe,
                 const program::InterpreterOptions& options = {}) {
  const program::Interpreter interpreter(program, options);
  const std::unique_ptr<Machine> machine = Machine::make(kind, interpreter);
  Explored result;
  MachineState first;
  (void)machine->initial(first);
  std::set<Words> seen = {words_of(first)};
  std::deque<MachineState> pending = {first};
  while (!pending.empty()) {
    const MachineState state = std::move(pending.front());
    pending.pop_front();
    ++result.states;
    if (machine->is_final(state)) {
      result.outcomes.insert(observe(interpreter, state));
      continue;
    }
    if (const std::uint64_t stuck = machine->deadlocked(state); stuck != 0)
      result.deadlocks.insert(stuck);
    std::vector<memory::Transition> transitions;
    result.is_complete = machine->enabled(state, transitions) && result.is_complete;
    if (transitions.empty())
      ++result.stuck_states;
    for (const memory::Transition& transition : transitions) {
      MachineState next = state;
      const program::Fault fault = machine->apply(next, transition);
      if (!fault.is_none()) {
        result.faults.insert(fault.kind);
        continue;
      }
      if (seen.insert(words_of(next)).second)
        pending.push_back(std::move(next));
    }
  }
  return result;
}

/// The final values of some globals.
struct Globals {
  std::vector<program::ObjectId> objects;
  unsigned size = 4;
  Words operator()(const program::Interpreter& interpreter, const MachineState& state) const {
    Words values;
    for (const program::ObjectId object : objects)
      values.push_back(interpreter.read(
          state.core.memory,
          interpreter.program().space().base_of(interpreter.program().objects[object].unit),
          size));
    return values;
  }
};

} // namespace heddle::memory_test
