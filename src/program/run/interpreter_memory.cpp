// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Accesses judged, blocks made and freed, values nobody has fixed yet.
#include "program/run/interpreter_code.h"
#include "support/check.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <variant>

namespace heddle::program {

Fault Interpreter::Code::fault(FaultKind kind, std::string what, const ThreadState& thread) const {
  Fault result;
  result.kind = kind;
  result.what = std::move(what);
  result.procedure = ProcedureId{layout::procedure(layout::innermost(thread))};
  result.loc = edge(thread).edge->loc;
  return result;
}

Fault Interpreter::Code::access_fault(const State& state,
                                      ThreadIndex thread,
                                      std::uint64_t address,
                                      std::uint64_t size,
                                      bool writes) const {
  const MemoryTarget target = memory.find(state.memory, address);
  const std::uint64_t offset = address - target.base;
  const bool is_inside = offset < target.size && size <= target.size - offset;
  FaultKind kind = FaultKind::kNone;
  switch (target.kind) {
  case MemoryTarget::Kind::kGlobal:
    kind = is_inside ? FaultKind::kNone : FaultKind::kOutOfBounds;
    break;
  case MemoryTarget::Kind::kBlock:
    if (target.is_freed)
      kind = FaultKind::kUseAfterFree;
    else if (!is_inside)
      kind = FaultKind::kOutOfBounds;
    break;
  case MemoryTarget::Kind::kConstant:
    if (!is_inside)
      kind = FaultKind::kOutOfBounds;
    else if (writes)
      kind = FaultKind::kReadOnlyWrite;
    break;
  case MemoryTarget::Kind::kNull:
    kind = FaultKind::kNullAccess;
    break;
  case MemoryTarget::Kind::kNothing:
  case MemoryTarget::Kind::kCode:
    kind = FaultKind::kInvalidAccess;
    break;
  }
  if (kind == FaultKind::kNone)
    return {};
  std::string what;
  if (target.object.is_valid())
    what = fmt::format("{} of {} bytes at offset {} of '{}' ({} bytes)",
                       writes ? "write" : "read",
                       size,
                       static_cast<std::int64_t>(offset),
                       program.objects[target.object].name,
                       target.size);
  else
    what = fmt::format("{} of {} bytes at address {:#x}", writes ? "write" : "read", size, address);
  return fault(kind, std::move(what), state.threads[thread]);
}

void Interpreter::Code::check_may(const MemoryTarget& target, ObjectSetId may) const {
  if (!may.is_valid() || !target.object.is_valid())
    return;
  const std::vector<ObjectId>& set = program.object_sets[may];
  HEDDLE_CHECK(std::binary_search(set.begin(), set.end(), target.object),
               "an access touches an object outside its may-set");
}

void Interpreter::Code::check_touch(State& state,
                                    ThreadIndex thread,
                                    std::uint64_t address,
                                    ObjectSetId may,
                                    bool writes,
                                    bool is_visible) const {
  const MemoryTarget target = memory.find(state.memory, address);
  check_may(target, may);
  HEDDLE_CHECK(memory.note_touch(state.memory, target, thread, writes, is_visible),
               "an invisible access touches an object that another thread touches");
}

std::uint64_t Interpreter::Code::first_frame_unit(ThreadIndex thread) const {
  return AddressSpace::kFirstFrameUnit + thread * AddressSpace::kFrameUnitsPerThread;
}

std::uint32_t Interpreter::Code::frame_units_in_use(const ThreadState& thread) const {
  std::uint32_t units = 0;
  for (std::size_t end = thread.words.size(); end > layout::kFrames;) {
    units += layout::frame_units(thread.words[end - 1]);
    end -= layout::local_count(thread.words[end - 1]) + 1;
  }
  return units;
}

std::optional<std::uint64_t> Interpreter::Code::last_known_unit(const State& state,
                                                                ThreadIndex thread,
                                                                std::uint64_t first,
                                                                std::uint64_t count) const {
  if (compiled.dangling_frames == Object::Dangling::kNever)
    return std::nullopt;
  std::optional<std::uint64_t> last;
  const auto look = [&](std::uint64_t value) {
    const std::uint64_t unit = memory.space().unit_of(value);
    if (unit >= first && unit < first + count && (!last || unit > *last))
      last = unit;
  };
  std::vector<MemoryMap::Block> live;
  for (std::size_t i = memory.first_block(state.memory); i < state.memory.words.size();
       i = memory.next_block(state.memory, i))
    if (const MemoryMap::Block block = memory.block(state.memory, i); !block.is_freed)
      live.push_back(block);
  for_each_value_in_memory(state.memory, live, look);
  for (ThreadIndex other = 0; other < state.threads.size(); ++other)
    if (other == thread || looks_at_other_threads())
      for_each_live_value(state.threads[other], look);
  return last;
}

Fault Interpreter::Code::allocate_frame(State& state,
                                        ThreadIndex index,
                                        const CompiledEdge& edge) const {
  ThreadState& thread = state.threads[index];
  const Allocate& action = std::get<Allocate>(edge.edge->action);
  const std::uint64_t size = evaluate(edge.a, thread, index);
  const std::uint64_t used = frame_units_in_use(thread);
  if (size > kMaxBlockSize)
    return fault(
        FaultKind::kCut, fmt::format("objects of at most {} bytes", kMaxBlockSize), thread);
  const std::uint64_t units = memory.space().units_for(size);
  // An ended frame's place is not used as long as a pointer to it is around. What is skipped counts
  // as this frame's.
  std::uint64_t skipped = 0;
  while (used + skipped + units <= AddressSpace::kFrameUnitsPerThread) {
    const std::uint64_t first = first_frame_unit(index) + used + skipped;
    // What keep_ended has left there, or else what points there.
    const std::uint64_t free = memory.unit_after_last(state.memory, first, units);
    const std::optional<std::uint64_t> known =
        free > first ? free - 1 : last_known_unit(state, index, first, units);
    if (!known)
      break;
    skipped += *known + 1 - first;
  }
  if (used + skipped + units > AddressSpace::kFrameUnitsPerThread)
    return fault(
        FaultKind::kCut,
        fmt::format("stack of at most {} objects per thread", AddressSpace::kFrameUnitsPerThread),
        thread);
  const std::uint64_t unit = first_frame_unit(index) + used + skipped;
  memory.add_block(state.memory,
                   unit,
                   size,
                   action.site,
                   action.zeroed ? MemoryMap::Content::kZero : MemoryMap::Content::kUnwritten,
                   edge.is_visible ? static_cast<std::uint64_t>(MemoryMap::kVisibleFrame) : 0);
  thread.words.back() += (skipped + units) << layout::kUnitsShift;
  set_local(thread, edge, memory.space().base_of(unit));
  advance(thread, edge);
  return {};
}

bool Interpreter::Code::allocates_locally(const CompiledEdge& edge) const {
  if (std::get<Allocate>(edge.edge->action).where == ir::Allocate::Where::kFrame)
    return true;
  // Always the next unit of the thread's own range: nobody can tell when it happens.
  return !options.malloc_may_fail && (!options.reuse_freed_blocks || !compiled.has_free);
}

std::vector<MemoryMap::Block> Interpreter::Code::freed_blocks(const State& state) const {
  std::vector<MemoryMap::Block> freed;
  std::vector<MemoryMap::Block> live;
  for (std::size_t i = memory.first_block(state.memory); i < state.memory.words.size();
       i = memory.next_block(state.memory, i)) {
    const MemoryMap::Block block = memory.block(state.memory, i);
    (block.is_freed ? freed : live).push_back(block);
  }
  if (freed.empty())
    return freed;
  std::vector<bool> is_referenced(freed.size(), false);
  const auto reach = [&](std::uint64_t value) {
    const std::uint64_t unit = memory.space().unit_of(value);
    if (unit < AddressSpace::kFirstHeapUnit)
      return;
    for (std::size_t i = 0; i < freed.size(); ++i)
      if (unit >= freed[i].unit && unit < freed[i].unit + memory.space().units_for(freed[i].size))
        is_referenced[i] = true;
  };
  for_each_value(state, live, reach);
  std::vector<MemoryMap::Block> referenced;
  for (std::size_t i = 0; i < freed.size(); ++i)
    if (is_referenced[i])
      referenced.push_back(freed[i]);
  return referenced;
}

std::optional<std::uint64_t> Interpreter::Code::never_used_unit(const State& state,
                                                                ThreadIndex thread,
                                                                std::uint64_t size) const {
  if (size > kMaxBlockSize)
    return std::nullopt;
  const std::uint64_t first =
      AddressSpace::kFirstHeapUnit + thread * AddressSpace::kHeapUnitsPerThread;
  const std::uint64_t unit =
      memory.unit_after_last(state.memory, first, AddressSpace::kHeapUnitsPerThread);
  if (unit + memory.space().units_for(size) > first + AddressSpace::kHeapUnitsPerThread)
    return std::nullopt;
  return unit;
}

std::optional<std::uint64_t> Interpreter::Code::fresh_heap_unit(const State& state,
                                                                ThreadIndex thread,
                                                                std::uint64_t size) const {
  if (!compiled.has_free)
    return never_used_unit(state, thread, size);
  if (size > kMaxBlockSize)
    return std::nullopt;
  const std::uint64_t end =
      AddressSpace::kFirstHeapUnit + (thread + 1) * AddressSpace::kHeapUnitsPerThread;
  std::uint64_t unit = end - AddressSpace::kHeapUnitsPerThread;
  const std::uint64_t needed = memory.space().units_for(size);
  const std::vector<MemoryMap::Block> kept = freed_blocks(state);
  for (std::size_t i = memory.first_block(state.memory); i < state.memory.words.size();
       i = memory.next_block(state.memory, i)) {
    const MemoryMap::Block block = memory.block(state.memory, i);
    const std::uint64_t after = block.unit + memory.space().units_for(block.size);
    if (after <= unit)
      continue;
    if (block.unit >= unit + needed)
      break;
    if (!block.is_freed ||
        std::any_of(kept.begin(), kept.end(), [&](const MemoryMap::Block& other) {
          return other.unit == block.unit;
        }))
      unit = after;
  }
  if (unit + needed > end)
    return std::nullopt;
  return unit;
}

Fault Interpreter::Code::allocate_heap(State& state,
                                       ThreadIndex index,
                                       const CompiledEdge& edge,
                                       std::uint64_t unit) const {
  ThreadState& thread = state.threads[index];
  const Allocate& action = std::get<Allocate>(edge.edge->action);
  const std::uint64_t size = evaluate(edge.a, thread, index);
  if (unit == 0 && !options.malloc_may_fail) {
    const bool is_large = size > kMaxBlockSize;
    return fault(FaultKind::kCut,
                 is_large ? fmt::format("objects of at most {} bytes", kMaxBlockSize)
                          : fmt::format("heap of at most {} blocks per thread",
                                        AddressSpace::kHeapUnitsPerThread),
                 thread);
  }
  if (unit != 0)
    memory.add_block(state.memory,
                     unit,
                     size,
                     action.site,
                     action.zeroed ? MemoryMap::Content::kZero : MemoryMap::Content::kUnwritten,
                     0);
  set_local(thread, edge, unit == 0 ? 0 : memory.space().base_of(unit));
  advance(thread, edge);
  return {};
}

Fault Interpreter::Code::free_block(State& state,
                                    ThreadIndex index,
                                    const CompiledEdge& edge) const {
  ThreadState& thread = state.threads[index];
  const std::uint64_t address = evaluate(edge.a, thread, index);
  if (address != 0) {
    const MemoryTarget target = memory.find(state.memory, address);
    if (target.kind != MemoryTarget::Kind::kBlock || target.unit < AddressSpace::kFirstHeapUnit ||
        target.base != address)
      return fault(FaultKind::kInvalidFree,
                   target.object.is_valid()
                       ? fmt::format("free inside of, or of no heap block: '{}'",
                                     program.objects[target.object].name)
                       : fmt::format("free of address {:#x}", address),
                   thread);
    if (target.is_freed)
      return fault(FaultKind::kDoubleFree,
                   fmt::format("'{}' is freed again", program.objects[target.object].name),
                   thread);
    if (options.check_analyses)
      check_touch(state, index, address, edge.may, true, edge.is_visible);
    memory.mark_freed(state.memory, target);
  }
  advance(thread, edge);
  return {};
}

/// All values of `width` bits that agree with `fixed` outside of `free_bits`, or samples of them.
bool Interpreter::Code::values(unsigned width,
                               std::uint64_t fixed,
                               std::uint64_t free_bits,
                               std::vector<std::uint64_t>& out) const {
  const auto count = static_cast<unsigned>(std::popcount(free_bits));
  if (count <= options.exhaustive_bits && count < 32) {
    // All subsets of free_bits, in increasing order.
    std::uint64_t subset = 0;
    do {
      out.push_back((fixed & ~free_bits) | subset);
      subset = (subset - free_bits) & free_bits;
    } while (subset != 0);
    return true;
  }
  const std::size_t first = out.size();
  const std::uint64_t mask = logic::mask_of(width);
  const auto add = [&](std::uint64_t value) {
    value = (fixed & ~free_bits) | (value & free_bits & mask);
    if (std::find(out.begin() + static_cast<std::ptrdiff_t>(first), out.end(), value) == out.end())
      out.push_back(value);
  };
  for (const std::uint64_t value :
       {std::uint64_t{0}, std::uint64_t{1}, mask, (mask >> 1U) + 1, std::uint64_t{2}, mask >> 1U})
    add(value);
  for (const auto& [sample_width, value] : compiled.samples)
    if (sample_width == width)
      add(value);
  return false;
}

} // namespace heddle::program
