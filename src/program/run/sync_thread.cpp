// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Threads: starting and ending.
#include "program/run/interpreter_code.h"
#include "support/check.h"

#include <fmt/format.h>

#include <algorithm>
#include <variant>

namespace heddle::program {

ThreadState Interpreter::Code::new_thread(MemoryState& memory_state,
                                          ThreadIndex index,
                                          ProcedureId entry,
                                          std::uint64_t argument) const {
  const CompiledProcedure& procedure = compiled.procedures[entry.index()];
  ThreadState thread;
  thread.words.assign(layout::kFrames + procedure.local_count + 1, 0);
  layout::set_status(thread, ThreadStatus::kRunning);
  thread.words.back() = layout::frame(entry.value, procedure.entry, procedure.local_count, 0);
  if (!procedure.parameters.empty()) {
    const std::uint32_t parameter = procedure.parameters.front();
    thread.words[layout::kFrames + parameter] = argument & procedure.masks[parameter];
  }
  for (std::size_t i = 0; i < program.objects.size(); ++i) {
    const Object& object = program.objects[ObjectId{i}];
    if (object.kind == Object::Kind::kThreadLocal)
      memory.add_block(memory_state,
                       object.unit + index * memory.space().units_for(object.size),
                       object.size,
                       ObjectId{i},
                       MemoryMap::Content::kInitial,
                       0);
  }
  return thread;
}

/// The index of a thread that is gone serves again, unless a lock still names that thread.
ThreadIndex Interpreter::Code::next_thread(const State& state) const {
  ThreadIndex index = 1;
  while (index < state.threads.size() &&
         (layout::status(state.threads[index]) != ThreadStatus::kJoined ||
          (state.threads[index].words[layout::kHeader] & layout::kHeldMask) != 0))
    ++index;
  return index;
}

Fault Interpreter::Code::create(State& state,
                                ThreadIndex thread,
                                const CompiledEdge& at,
                                ThreadIndex index) const {
  const ThreadState& self = state.threads[thread];
  const std::optional<ProcedureId> entry = function_at(evaluate(at.a, self, thread));
  HEDDLE_CHECK(entry, "a thread that runs no function");
  const Synchronize& action = std::get<Synchronize>(at.edge->action);
  if (std::find(action.targets.begin(), action.targets.end(), *entry) == action.targets.end() &&
      program.procedures[*entry].parameters.size() > 1)
    return fault(FaultKind::kInvalidAccess,
                 fmt::format("a thread runs '{}', which has more than one parameter",
                             program.procedures[*entry].name),
                 self);
  HEDDLE_CHECK(!options.check_analyses || action.targets.empty() ||
                   std::find(action.targets.begin(), action.targets.end(), *entry) !=
                       action.targets.end(),
               "a thread starts outside its creation's set of targets");
  ThreadState started = new_thread(state.memory, index, *entry, evaluate(at.b, self, thread));
  if (index == state.threads.size())
    state.threads.push_back(std::move(started));
  else
    state.threads[index] = std::move(started);
  return {};
}

void Interpreter::Code::end_thread(State& state, ThreadIndex thread, std::uint64_t value) const {
  ThreadState& self = state.threads[thread];
  const bool is_detached = (self.words[layout::kHeader] & layout::kDetached) != 0;
  memory.remove_blocks(state.memory, first_frame_unit(thread), AddressSpace::kFrameUnitsPerThread);
  for (const Object& object : program.objects)
    if (object.kind == Object::Kind::kThreadLocal)
      memory.remove_blocks(
          state.memory, object.unit + thread * memory.space().units_for(object.size), 1);
  if (state.atomic_owner == static_cast<std::int32_t>(thread))
    state.atomic_owner = -1;
  self.words.resize(layout::kFrames);
  self.words[layout::kHeader] &= layout::kHeldMask;
  layout::set_status(self, is_detached ? ThreadStatus::kJoined : ThreadStatus::kEnded);
  self.words[layout::kExtra] = is_detached ? 0 : value;
}

} // namespace heddle::program
