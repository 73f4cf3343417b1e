// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Blocks of memory in the events for a solver: where they are, when they end, and which addresses
// are good. Every block has a place of its own; only those of frames nobody can know any more are
// used again. Whether a block with events has been freed is for the solver to decide.
#include "logic/range_where.h"
#include "program/events/event_prefix.h"
#include "program/model/address_space.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace heddle::program {

namespace {

/// The variable of a block's size, by its first unit.
std::uint64_t length_variable(std::uint64_t unit) {
  return kFirstDefinedVariable + (1ULL << 20U) + unit;
}

} // namespace

PrefixBuilder::Span PrefixBuilder::span_of(const PrefixBlock& block) {
  Span span{block.address, block.size, {}};
  if (!block.has_constant_size)
    span.length =
        terms_.variable(length_variable(context_.program.space().unit_of(block.address)),
                        logic::Sort{static_cast<std::uint8_t>(context_.program.pointer_bits())});
  return span;
}

std::vector<PrefixBuilder::Span> PrefixBuilder::spans_of(ObjectId id) {
  const Object& object = context_.program.objects[id];
  const AddressSpace space = context_.program.space();
  const bool is_followed = context_.pieces.is_followed(id);
  std::vector<Span> spans;
  switch (object.kind) {
  case Object::Kind::kGlobal:
    return {{space.base_of(object.unit), object.size, {}}};
  case Object::Kind::kThreadLocal: {
    const std::uint64_t units = space.units_for(object.size);
    if (is_followed)
      return {{space.base_of(object.unit + area_of(thread_.thread) * units), object.size, {}}};
    context_.asked_for_threads = true;
    for (std::uint32_t i = 0; i < std::min(context_.plan.thread_count, kMaxThreads); ++i)
      spans.push_back({space.base_of(object.unit + i * units), object.size, {}});
    return spans;
  }
  case Object::Kind::kFrameSite:
    if (!is_followed)
      break;
    for (const Frame& frame : frames_)
      for (const std::size_t index : frame.blocks)
        if (context_.blocks[index].site == id)
          spans.push_back(span_of(context_.blocks[index]));
    return spans;
  case Object::Kind::kHeapSite:
    if (!is_followed)
      break;
    if (const auto own = own_blocks_.find(id); own != own_blocks_.end())
      for (const PrefixBlock& block : own->second)
        spans.push_back(span_of(block));
    return spans;
  }
  context_.asked_for_blocks = true;
  if (const auto found = context_.blocks_of.find(id); found != context_.blocks_of.end())
    for (const PrefixBlock& block : found->second)
      spans.push_back(span_of(block));
  return spans;
}

Term PrefixBuilder::is_inside(const Span& span, Term address, std::uint64_t size) {
  const unsigned width = terms_.sort(address).width;
  const Term offset = terms_.binary(logic::Op::kSub, address, terms_.constant(span.address, width));
  if (span.length.is_valid()) {
    const Term length = widened(span.length, width);
    return terms_.and_(
        terms_.binary(logic::Op::kULe, terms_.constant(size, width), length),
        terms_.binary(logic::Op::kULe,
                      offset,
                      terms_.binary(logic::Op::kSub, length, terms_.constant(size, width))));
  }
  if (span.size < size)
    return terms_.boolean(false);
  return terms_.binary(logic::Op::kULe, offset, terms_.constant(span.size - size, width));
}

/// What is wrong with an access there, as the interpreter names it.
FaultKind PrefixBuilder::fault_at(std::uint64_t address, bool writes) {
  const AddressSpace space = context_.program.space();
  const std::uint64_t unit = space.unit_of(address);
  if (unit == 0)
    return FaultKind::kNullAccess;
  for (std::size_t i = 0; i < context_.program.objects.size(); ++i)
    for (const Span& span : spans_of(ObjectId{i})) {
      const std::uint64_t first = space.unit_of(span.address);
      if (unit >= first && unit < first + space.units_for(span.size))
        return writes && context_.program.objects[ObjectId{i}].is_constant &&
                       address - span.address < span.size
                   ? FaultKind::kReadOnlyWrite
                   : FaultKind::kOutOfBounds;
    }
  return FaultKind::kInvalidAccess;
}

/// Checks that the access goes to memory that is there; whether it is still there the solver knows.
void PrefixBuilder::judge(const AccessPlace& place, Term address, std::uint64_t size, bool writes) {
  const unsigned width = terms_.sort(address).width;
  Term is_good = terms_.boolean(false);
  const auto allow = [&](ObjectId id, const Offsets& offsets) {
    if (writes && context_.program.objects[id].is_constant)
      return;
    const bool has_flags = context_.program.objects[id].kind == Object::Kind::kHeapSite &&
                           context_.pieces.is_followed(id);
    for (const Span& span : spans_of(id)) {
      Term holds = terms_.boolean(false);
      if (offsets.stride == 0 && !span.length.is_valid()) {
        const bool fits = offsets.first >= 0 && size <= span.size &&
                          static_cast<std::uint64_t>(offsets.first) <= span.size - size;
        if (fits)
          holds = terms_.equal(
              address,
              terms_.constant(span.address + static_cast<std::uint64_t>(offsets.first), width));
      } else {
        holds = is_inside(span, address, size);
      }
      if (has_flags && !is_false(holds))
        holds = terms_.and_(holds, terms_.not_(cell_value(freed_cell(span.address))));
      is_good = terms_.or_(is_good, holds);
      if (is_true(is_good))
        return;
    }
  };
  if (place.is_any) {
    if (place.piece != 1)
      if (const Term low = terms_.extract(address, 0, 3);
          !terms_.is_constant(low) || terms_.node(low).value % size != 0) {
        StaticEvent event;
        event.kind = StaticEvent::Kind::kTrap;
        event.fault = FaultKind::kTrap;
        event.text = "a misaligned access through a pointer that may point anywhere";
        const Term is_aligned =
            terms_.equal(terms_.binary(logic::Op::kURem,
                                       address,
                                       terms_.constant(std::max<std::uint64_t>(size, 1), width)),
                         terms_.constant(0, width));
        event.guard = terms_.and_(guard(), terms_.not_(is_aligned));
        add(std::move(event));
        narrow(is_aligned);
      }
    for (std::size_t i = 0; i < context_.program.objects.size() && !is_true(is_good); ++i)
      allow(ObjectId{i}, Offsets::anywhere());
  } else {
    for (const auto& [object, offsets] : place.targets)
      if (!is_true(is_good))
        allow(object, offsets);
  }
  if (is_known(is_good))
    return;
  // What other threads allocate is not known in the first pass; the next one needs to hear of
  // everything that this one could reach.
  if (context_.is_first && context_.asked_for_blocks)
    return;
  const FaultKind fault = terms_.is_constant(address) ? fault_at(terms_.node(address).value, writes)
                                                      : FaultKind::kInvalidAccess;
  check(is_good, fault, fmt::format("{} of {} bytes", writes ? "write" : "read", size));
}

void PrefixBuilder::allocate(const Allocate& action) {
  const AddressSpace space = context_.program.space();
  const bool is_heap = action.where == ir::Allocate::Where::kHeap;
  const Term size = evaluate(action.size);
  PrefixBlock block;
  block.site = action.site;
  block.has_constant_size = terms_.is_constant(size);
  block.size = terms_.node(size).value;
  constexpr std::uint64_t kMost = kMaxBlockSize;
  const std::string too_large = fmt::format("objects of at most {} bytes", kMost);
  if (!block.has_constant_size) {
    // What was assumed on the way counts: the block is only reached where it holds.
    logic::RangeAnalysis ranges(terms_, logic::ranges_where(terms_, guard()));
    block.size = std::min(kMost, ranges.range(size).max);
    const Term fits =
        terms_.binary(logic::Op::kULe, size, terms_.constant(block.size, terms_.sort(size).width));
    if (!is_true(fits)) {
      StaticEvent event;
      event.kind = StaticEvent::Kind::kCut;
      event.fault = FaultKind::kCut;
      event.text = too_large;
      event.guard = terms_.and_(guard(), terms_.not_(fits));
      add(std::move(event));
      narrow(fits);
    }
  } else if (block.size > kMost) {
    stop(StaticEvent::Kind::kCut, FaultKind::kCut, too_large);
    return;
  }
  const std::uint32_t area = area_of(thread_.thread);
  const auto [first, count] = units_of_area(thread_.thread, is_heap);
  std::uint64_t& next = is_heap ? heap_unit_ : frame_unit_;
  std::uint64_t& used =
      is_heap ? context_.used_units.of_heap[area] : context_.used_units.of_frames[area];
  // Behind what threads before it have there. (Units that it uses again count once.)
  if (next == 0)
    next = std::max(used, first);
  const std::uint64_t units = space.units_for(block.size);
  if (next + units > first + count) {
    stop(StaticEvent::Kind::kCut,
         FaultKind::kCut,
         fmt::format("{} of at most {} {}",
                     is_heap ? "heap" : "stack",
                     count,
                     bound_of_area(is_heap ? "blocks" : "objects", thread_.thread)));
    return;
  }
  block.address = space.base_of(next);
  // What a frame that has ended kept there is gone.
  cell_of_.erase(cell_of_.lower_bound(next << space.unit_shift),
                 cell_of_.lower_bound((next + units) << space.unit_shift));
  EventSet::Block known{block.address, block.size, action.zeroed, block.site, {}};
  if (!block.has_constant_size) {
    known.length = widened(size, context_.program.pointer_bits());
    set_.definitions.push_back({span_of(block).length, known.length});
  }
  set_.blocks.push_back(known);
  next += units;
  used = std::max(used, next);
  if (is_heap) {
    if (context_.keeps_waits) {
      StaticEvent event;
      event.kind = StaticEvent::Kind::kBranch;
      const Term when = guard();
      set_.allocations.push_back({thread_.thread, when, add(std::move(event)), block.address});
    }
    own_blocks_[block.site].push_back(block);
    // Nothing can have been freed by another thread before there is one.
    if (context_.has_freed || context_.created.size() > 1)
      context_.allocates_late = true;
  } else {
    frames_.back().blocks.push_back(context_.blocks.size());
  }
  assign(action.dest, terms_.constant(block.address, procedure().locals[action.dest].width));
  context_.blocks.push_back(block);
}

std::vector<ObjectId> PrefixBuilder::heap_sites(ObjectSetId may) const {
  std::vector<ObjectId> sites;
  for (std::size_t i = 0; i < context_.program.objects.size(); ++i)
    if (context_.program.objects[ObjectId{i}].kind == Object::Kind::kHeapSite)
      sites.emplace_back(i);
  if (may.is_valid()) {
    const std::vector<ObjectId>& objects = context_.program.object_sets[may];
    std::erase_if(sites, [&](ObjectId site) {
      return !std::binary_search(objects.begin(), objects.end(), site);
    });
  }
  return sites;
}

std::uint32_t PrefixBuilder::freed_cell(std::uint64_t block) {
  // The byte before a block is in nobody's object.
  const std::uint32_t cell = cell_at(block - 1, 1);
  cells_[cell].initial = terms_.boolean(false);
  return cell;
}

void PrefixBuilder::free_block(const Free& action) {
  const Term address = evaluate(action.address);
  const unsigned width = terms_.sort(address).width;
  const Term is_null = terms_.equal(address, terms_.constant(0, width));
  if (is_true(is_null))
    return;
  Term is_block = terms_.boolean(false);
  Term is_freed = terms_.boolean(false);
  bool has_events = false;
  std::vector<std::pair<std::uint32_t, Term>> flags;
  for (const ObjectId site : heap_sites(action.may)) {
    has_events = has_events || !context_.pieces.is_followed(site);
    for (const Span& span : spans_of(site)) {
      const Term is_this = terms_.equal(address, terms_.constant(span.address, width));
      if (is_false(is_this))
        continue;
      is_block = terms_.or_(is_block, is_this);
      if (!context_.pieces.is_followed(site))
        continue;
      const std::uint32_t cell = freed_cell(span.address);
      is_freed = terms_.or_(is_freed, terms_.and_(is_this, cell_value(cell)));
      flags.emplace_back(cell, is_this);
    }
  }
  if (!is_known(is_block) && (!context_.is_first || !context_.asked_for_blocks))
    check(terms_.or_(is_null, is_block),
          FaultKind::kInvalidFree,
          "free inside of, or of no heap block");
  check(terms_.not_(is_freed), FaultKind::kDoubleFree, "a block is freed again");
  if (is_dead())
    return;
  for (const auto& [cell, is_this] : flags)
    path_.cells =
        tables_.set(path_.cells, path_.owner, cell, terms_.or_(cell_value(cell), is_this));
  context_.has_freed = true;
  if (!has_events)
    return;
  StaticEvent event;
  event.kind = StaticEvent::Kind::kFree;
  event.address = address;
  event.may = action.may;
  event.guard = terms_.and_(guard(), terms_.not_(is_null));
  add(std::move(event));
}

void PrefixBuilder::block_size(const BlockSize& action) {
  const Term address = evaluate(action.address);
  const unsigned width = terms_.sort(address).width;
  const unsigned result_width = procedure().locals[action.dest].width;
  Term is_good = terms_.boolean(false);
  Term result = terms_.constant(0, result_width);
  for (const ObjectId site : heap_sites({}))
    for (const Span& span : spans_of(site)) {
      Term is_this = terms_.equal(address, terms_.constant(span.address, width));
      if (is_false(is_this))
        continue;
      if (context_.pieces.is_followed(site))
        is_this = terms_.and_(is_this, terms_.not_(cell_value(freed_cell(span.address))));
      is_good = terms_.or_(is_good, is_this);
      const Term size = span.length.is_valid() ? widened(span.length, result_width)
                                               : terms_.constant(span.size, result_width);
      result = terms_.ite(is_this, size, result);
    }
  if (!context_.is_first)
    check(is_good, FaultKind::kInvalidFree, "not the start of a live heap block");
  assign(action.dest, result);
}

} // namespace heddle::program
