// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Threads: starting, ending, joining and detaching.
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

Fault Interpreter::Code::create(State& state,
                                ThreadIndex thread,
                                const CompiledEdge& at,
                                ThreadIndex index) const {
  const ThreadState& self = state.threads[thread];
  if (index >= kMaxThreads)
    return fault(FaultKind::kCut, fmt::format("at most {} threads at a time", kMaxThreads), self);
  const std::optional<ProcedureId> entry = function_at(evaluate(at.a, self, thread));
  if (!entry)
    return fault(
        FaultKind::kInvalidAccess, "a thread starts at something that is no function", self);
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
  set_local(state.threads[thread], at, index + 1ULL);
  advance(state.threads[thread], at);
  return {};
}

Fault Interpreter::Code::join(State& state,
                              ThreadIndex thread,
                              const CompiledEdge& at,
                              std::uint64_t handle) const {
  ThreadState& self = state.threads[thread];
  if (handle == 0 || handle > state.threads.size())
    return fault(FaultKind::kBadSynchronisation, "join of a thread that was never started", self);
  ThreadState& target = state.threads[handle - 1];
  if (layout::status(target) != ThreadStatus::kEnded ||
      (target.words[layout::kHeader] & layout::kDetached) != 0)
    return fault(
        FaultKind::kBadSynchronisation, "join of a thread that was joined or detached", self);
  set_local(self, at, target.words[layout::kExtra]);
  layout::set_status(target, ThreadStatus::kJoined);
  target.words[layout::kExtra] = 0;
  advance(self, at);
  return {};
}

Fault Interpreter::Code::detach(State& state,
                                ThreadIndex thread,
                                const CompiledEdge& at,
                                std::uint64_t handle) const {
  ThreadState& self = state.threads[thread];
  if (handle == 0 || handle > state.threads.size())
    return fault(FaultKind::kBadSynchronisation, "detach of a thread that was never started", self);
  ThreadState& target = state.threads[handle - 1];
  if (layout::status(target) == ThreadStatus::kJoined ||
      (target.words[layout::kHeader] & layout::kDetached) != 0)
    return fault(
        FaultKind::kBadSynchronisation, "detach of a thread that was joined or detached", self);
  if (layout::status(target) == ThreadStatus::kEnded) {
    layout::set_status(target, ThreadStatus::kJoined);
    target.words[layout::kExtra] = 0;
  } else {
    target.words[layout::kHeader] |= layout::kDetached;
  }
  set_local(self, at, 0);
  advance(self, at);
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
