// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Carrying out requests that need a choice or that other threads see, and what they touch.
#include "program/run/interpreter.h"
#include "program/run/interpreter_code.h"
#include "support/check.h"

#include <algorithm>
#include <utility>
#include <variant>

namespace heddle::program {

namespace {

/// Footprints of things that have no bytes: a thread's end, as eight bytes of null's unit.
std::uint64_t thread_place(std::uint64_t thread) {
  return 0x100 + 8 * thread;
}

} // namespace

Fault Interpreter::execute(State& state,
                           ThreadIndex thread,
                           const Request& request,
                           std::uint64_t choice) const {
  ThreadState& self = state.threads[thread];
  const CompiledEdge& edge = code_->edge(self);
  switch (request.kind) {
  case Request::Kind::kLocal:
  case Request::Kind::kFault:
    return code_->step_local(state, thread, edge);
  case Request::Kind::kNondet:
    Code::set_local(self, edge, choice);
    Code::advance(self, edge);
    return {};
  case Request::Kind::kLoad:
  case Request::Kind::kStore:
  case Request::Kind::kReadModifyWrite:
  case Request::Kind::kCompareExchange: {
    if (Fault fault = check_access(state, thread, request); !fault.is_none())
      return fault;
    bool fails = choice == kChoiceFails;
    if (request.kind != Request::Kind::kStore && !request.keeps_marks &&
        is_unwritten(state.memory, request.address, request.size)) {
      fails = request.kind == Request::Kind::kCompareExchange && request.size <= 4 &&
              (choice & kChoiceFailsBit) != 0;
      write(
          state.memory, request.address, request.size, fails ? choice & ~kChoiceFailsBit : choice);
    }
    if (request.kind != Request::Kind::kCompareExchange || !fails)
      return code_->local_memory_step(state, thread, edge);
    complete(state, thread, request, read(state.memory, request.address, request.size), false);
    return {};
  }
  case Request::Kind::kAllocate:
    return code_->allocate_heap(state, thread, edge, choice);
  case Request::Kind::kFree:
    return code_->free_block(state, thread, edge);
  case Request::Kind::kSynchronize:
  case Request::Kind::kWakeUp:
  case Request::Kind::kReacquire:
  case Request::Kind::kLeaveBarrier:
    return code_->sync_execute(state, thread, request, choice);
  case Request::Kind::kAtomicBegin:
    self.words[layout::kHeader] += layout::kDepthOne;
    state.atomic_owner = static_cast<std::int32_t>(thread);
    Code::advance(self, edge);
    return {};
  case Request::Kind::kAtomicEnd:
    if ((self.words[layout::kHeader] & layout::kDepthMask) == 0)
      return code_->fault(
          FaultKind::kBadSynchronisation, "the end of an atomic section that is not open", self);
    self.words[layout::kHeader] -= layout::kDepthOne;
    if ((self.words[layout::kHeader] & layout::kDepthMask) == 0)
      state.atomic_owner = -1;
    Code::advance(self, edge);
    return {};
  case Request::Kind::kThreadExit:
    code_->end_thread(state, thread, request.value);
    return {};
  case Request::Kind::kExit:
    if (edge.code == OpCode::kReturn)
      code_->end_thread(state, thread, 0); // main's own objects end, unlike with exit()
    state.has_ended = true;
    return {};
  case Request::Kind::kFence:
  case Request::Kind::kLoadExclusive:
  case Request::Kind::kStoreExclusive:
    break;
  }
  HEDDLE_CHECK(false, "not a request the interpreter carries out");
}

Footprint
Interpreter::footprint(const State& state, ThreadIndex thread, const Request& request) const {
  Footprint print;
  switch (request.kind) {
  case Request::Kind::kLocal: // a visible one ends blocks of a frame
    print.touches_everything = request.is_visible;
    return print;
  case Request::Kind::kNondet:
  case Request::Kind::kFence:
    return print;
  case Request::Kind::kLoad:
  case Request::Kind::kLoadExclusive:
    if (!request.is_visible)
      return print;
    // The first read of unwritten memory fixes its value.
    print = {request.address,
             request.size,
             !request.keeps_marks && is_unwritten(state.memory, request.address, request.size),
             false};
    return print;
  case Request::Kind::kStore:
  case Request::Kind::kReadModifyWrite:
  case Request::Kind::kCompareExchange:
  case Request::Kind::kStoreExclusive:
    if (request.is_visible)
      print = {request.address, request.size, true, false};
    return print;
  case Request::Kind::kAllocate: // depends on what others have freed, and takes it from them
    print.touches_everything = code_->options.reuse_freed_blocks && code_->compiled.has_free;
    return print;
  case Request::Kind::kFree:
    print.touches_everything = true;
    return print;
  case Request::Kind::kWakeUp:
    print = {request.address, 4, true, false};
    return print;
  case Request::Kind::kReacquire:
    print = {request.address, code_->sync_size(SyncOp::kMutexLock), true, false};
    return print;
  case Request::Kind::kLeaveBarrier:
    print = {request.address, code_->sync_size(SyncOp::kBarrierWait), true, false};
    return print;
  case Request::Kind::kSynchronize:
    break;
  case Request::Kind::kAtomicBegin:
  case Request::Kind::kAtomicEnd:
  case Request::Kind::kThreadExit:
  case Request::Kind::kExit:
  case Request::Kind::kFault:
    print.touches_everything = request.kind != Request::Kind::kFault;
    return print;
  }
  switch (code_->edge(state.threads[thread]).sync) {
  case SyncOp::kCreate:
  case SyncOp::kConditionWait: // two places: the condition and the mutex
  case SyncOp::kConditionTimedWait:
    print.touches_everything = true;
    return print;
  case SyncOp::kJoin:
  case SyncOp::kDetach:
    print = {thread_place(request.address), 8, true, false};
    return print;
  case SyncOp::kSelf:
    return print;
  default:
    print = {request.address,
             code_->sync_size(code_->edge(state.threads[thread]).sync),
             code_->edge(state.threads[thread]).sync != SyncOp::kSemaphoreValue,
             false};
    return print;
  }
}

void Interpreter::keep_ended(State& state, ThreadIndex thread, std::uint64_t address) const {
  const std::uint64_t unit = code_->memory.space().unit_of(address);
  const std::uint64_t first = code_->first_frame_unit(thread);
  const auto is_frame_site = [](const Object& object) {
    return object.kind == Object::Kind::kFrameSite;
  };
  const auto& objects = code_->program.objects;
  const auto site = std::find_if(objects.begin(), objects.end(), is_frame_site);
  if (unit < first || unit >= first + AddressSpace::kFrameUnitsPerThread || site == objects.end() ||
      code_->memory.find(state.memory, address).kind != MemoryTarget::Kind::kNothing)
    return;
  code_->memory.add_block(state.memory,
                          unit,
                          0,
                          ObjectId{static_cast<std::size_t>(site - objects.begin())},
                          MemoryMap::Content::kZero,
                          MemoryMap::kFreed);
}

void Interpreter::keep_if_ended(State& state, std::uint64_t value) const {
  if (code_->compiled.dangling_frames == Object::Dangling::kNever)
    return;
  const std::uint64_t unit = code_->memory.space().unit_of(value);
  const std::uint64_t first = code_->first_frame_unit(0);
  const std::uint64_t owner = (unit - first) / AddressSpace::kFrameUnitsPerThread;
  if (unit >= first && owner < kMaxThreads)
    keep_ended(state, static_cast<ThreadIndex>(owner), value);
}

Interpreter::Range Interpreter::frames_of(ThreadIndex thread) const {
  const unsigned shift = code_->memory.space().unit_shift;
  const std::uint64_t first = code_->first_frame_unit(thread);
  return {first << shift, (first + AddressSpace::kFrameUnitsPerThread) << shift};
}

Fault Interpreter::reuse_fault(const State& state,
                               ThreadIndex thread,
                               ThreadIndex created,
                               std::span<const std::uint64_t> pending) const {
  if (created >= state.threads.size())
    return {};
  const AddressSpace& space = code_->memory.space();
  std::vector<std::pair<std::uint64_t, std::uint64_t>> places; // units of the thread-locals there
  for (const Object& object : code_->program.objects)
    if (is_dangling_thread_local(object)) {
      const std::uint64_t units = space.units_for(object.size);
      places.emplace_back(object.unit + created * units, object.unit + (created + 1) * units);
    }
  if (places.empty())
    return {};
  bool is_known = false;
  const auto look = [&](std::uint64_t value) {
    const std::uint64_t unit = space.unit_of(value);
    for (const auto& [first, last] : places)
      is_known = is_known || (unit >= first && unit < last);
  };
  std::vector<MemoryMap::Block> live;
  for (std::size_t i = code_->memory.first_block(state.memory); i < state.memory.words.size();
       i = code_->memory.next_block(state.memory, i))
    if (const MemoryMap::Block block = code_->memory.block(state.memory, i); !block.is_freed)
      live.push_back(block);
  code_->for_each_value_in_memory(state.memory, live, look);
  for (const ThreadState& other : state.threads)
    code_->for_each_live_value(other, look);
  std::for_each(pending.begin(), pending.end(), look);
  if (!is_known)
    return {};
  return code_->fault(FaultKind::kCut,
                      "no thread is created while a pointer to a thread-local variable of an "
                      "ended one is left",
                      state.threads[thread]);
}

std::optional<Interpreter::Place> Interpreter::place(const MemoryState& memory,
                                                     std::uint64_t address) const {
  const MemoryTarget target = code_->memory.find(memory, address);
  if (!target.object.is_valid())
    return std::nullopt;
  return Place{target.object, address - target.base, target.is_freed};
}

std::vector<std::uint64_t> Interpreter::leaked_blocks(const State& state, bool all) const {
  const MemoryMap& map = code_->memory;
  std::vector<MemoryMap::Block> unreached; // of the heap
  std::vector<MemoryMap::Block> reached;   // at first the frames and thread-locals of live threads
  for (std::size_t i = map.first_block(state.memory); i < state.memory.words.size();
       i = map.next_block(state.memory, i)) {
    const MemoryMap::Block block = map.block(state.memory, i);
    if (!block.is_freed)
      (block.unit >= AddressSpace::kFirstHeapUnit ? unreached : reached).push_back(block);
  }
  // Conservative: any value that points into a block's units keeps it.
  for (bool is_first = true; !all && (is_first || !reached.empty()); is_first = false) {
    std::vector<MemoryMap::Block> more;
    code_->for_each_value(state, reached, [&](std::uint64_t value) {
      const std::uint64_t unit = map.space().unit_of(value);
      if (unit < AddressSpace::kFirstHeapUnit)
        return;
      const auto found =
          std::find_if(unreached.begin(), unreached.end(), [&](const MemoryMap::Block& block) {
            return unit >= block.unit && unit < block.unit + map.space().units_for(block.size);
          });
      if (found == unreached.end())
        return;
      more.push_back(*found);
      unreached.erase(found);
    });
    reached = std::move(more);
  }
  std::vector<std::uint64_t> leaked;
  for (const MemoryMap::Block& block : unreached)
    leaked.push_back(map.space().base_of(block.unit));
  return leaked;
}

} // namespace heddle::program
