// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Blocks of memory: where they are, when they end, and which addresses are good.
#include "engine/bounded/walk.h"
#include "program/model/address_space.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace heddle::engine::bounded {

using logic::Op;
using program::AccessPlace;
using program::FaultKind;
using program::Object;

std::vector<Walker::Span> Walker::spans_of(ObjectId id) const {
  const Object& object = program_.objects[id];
  if (object.kind == Object::Kind::kGlobal || object.kind == Object::Kind::kThreadLocal)
    return {{program_.space().base_of(object.unit), object.size, {}, id}};
  std::vector<Span> spans;
  if (const auto found = blocks_of_.find(id); found != blocks_of_.end())
    for (const std::size_t index : found->second)
      spans.push_back({blocks_[index].address, blocks_[index].size, blocks_[index].length, id});
  return spans;
}

/// Where the access may go, and is allowed to.
std::vector<Walker::Span> Walker::spans_of(const AccessPlace& place, bool writes) const {
  std::vector<Span> spans;
  const auto add = [&](ObjectId id) {
    if (writes && program_.objects[id].is_constant)
      return;
    const std::vector<Span> more = spans_of(id);
    spans.insert(spans.end(), more.begin(), more.end());
  };
  if (place.is_any)
    for (std::size_t i = 0; i < program_.objects.size(); ++i)
      add(ObjectId{i});
  else
    for (const auto& [object, offsets] : place.targets)
      add(object);
  return spans;
}

/// May blocks of it have ended while somebody still knows their address?
bool Walker::may_end(ObjectId id) const {
  const Object& object = program_.objects[id];
  return (object.kind == Object::Kind::kHeapSite && has_frees_) ||
         (object.kind == Object::Kind::kFrameSite && object.dangling != Object::Dangling::kNever);
}

/// The piece of memory that says (as a Bool) whether a block has ended: the byte before a block is
/// in nobody's object.
std::uint32_t Walker::ended_cell(std::uint64_t block) {
  const std::uint32_t cell = cell_at(block - 1, 1);
  cells_[cell].initial = terms_.boolean(false);
  return cell;
}

Term Walker::is_inside(const Span& span, Term address, std::uint64_t size) {
  const unsigned width = terms_.sort(address).width;
  const Term offset = terms_.binary(Op::kSub, address, terms_.constant(span.address, width));
  const Term least = terms_.constant(size, width);
  if (span.length.is_valid()) {
    const Term length = widened(span.length, width);
    const Term fits = terms_.binary(Op::kULe, least, length);
    const Term last = terms_.binary(Op::kSub, length, least);
    return terms_.and_(fits, terms_.binary(Op::kULe, offset, last));
  }
  if (span.size < size)
    return terms_.boolean(false);
  return terms_.binary(Op::kULe, offset, terms_.constant(span.size - size, width));
}

/// Is the address, which is one of these, good?
Term Walker::good_values(const std::vector<Span>& spans,
                         Term address,
                         const std::vector<std::uint64_t>& values,
                         std::uint64_t size) {
  const unsigned width = terms_.sort(address).width;
  Term is_good = terms_.boolean(true);
  std::optional<Index> index; // where it is needed
  for (const std::uint64_t value : values) {
    Term here = terms_.boolean(false);
    for (const Span& span : spans) {
      if (value < span.address || value - span.address >= span.size)
        continue;
      here = is_inside(span, terms_.constant(value, width), size);
      if (may_end(span.object))
        here = terms_.and_(here, terms_.not_(cell_value(ended_cell(span.address))));
      break;
    }
    if (!is_true(here)) {
      if (!index)
        index = index_of(address, values);
      const Term is_other = terms_.not_(is_at(*index, value));
      is_good = terms_.and_(is_good, terms_.or_(is_other, here));
    }
  }
  return is_good;
}

/// Checks that the access goes to memory that is there.
void Walker::judge(const AccessPlace& place, Term address, std::uint64_t size, bool writes) {
  const unsigned width = terms_.sort(address).width;
  if (place.is_any && place.piece != 1) {
    const Term rest =
        terms_.binary(Op::kURem, address, terms_.constant(std::max<std::uint64_t>(size, 1), width));
    trap_unless(terms_.equal(rest, terms_.constant(0, width)),
                "a misaligned access through a pointer that may point anywhere");
  }
  const std::vector<Span> spans = spans_of(place, writes);
  Term is_good;
  if (const std::vector<std::uint64_t>* values = sets_.of(address)) {
    is_good = good_values(spans, address, *values, size);
  } else {
    is_good = terms_.boolean(false);
    for (const Span& span : spans) {
      Term holds = is_inside(span, address, size);
      if (may_end(span.object) && !is_false(holds))
        holds = terms_.and_(holds, terms_.not_(cell_value(ended_cell(span.address))));
      is_good = terms_.or_(is_good, holds);
    }
  }
  const bool is_null =
      terms_.is_constant(address) && program_.space().unit_of(terms_.node(address).value) == 0;
  check(is_good,
        is_null ? FaultKind::kNullAccess : FaultKind::kInvalidAccess,
        fmt::format("{} of {} bytes", writes ? "write" : "read", size));
}

void Walker::allocate(const program::Allocate& action) {
  const bool is_heap = action.where == ir::Allocate::Where::kHeap;
  const Term size = evaluate(action.size);
  Block block;
  block.site = action.site;
  block.is_zeroed = action.zeroed;
  constexpr std::uint64_t kMost = program::kMaxBlockSize;
  const std::string too_large = fmt::format("objects of at most {} bytes", kMost);
  if (terms_.is_constant(size)) {
    block.size = terms_.node(size).value;
    if (block.size > kMost)
      return stop(Goal::Kind::kCut, FaultKind::kCut, too_large);
  } else {
    block.size = std::min(kMost, sets_.range(size).max);
    const Term fits =
        terms_.binary(Op::kULe, size, terms_.constant(block.size, terms_.sort(size).width));
    if (!is_true(fits)) {
      Goal goal;
      goal.kind = Goal::Kind::kCut;
      goal.reached = terms_.and_(guard(), terms_.not_(fits));
      goal.fault = FaultKind::kCut;
      goal.text = too_large;
      add_goal(std::move(goal));
      narrow(fits);
    }
    block.length = widened(size, program_.pointer_bits());
  }
  const program::AddressSpace space = program_.space();
  const std::optional<std::uint64_t> unit =
      symbols_.units(context_, what(), is_heap, space.units_for(block.size));
  if (!unit)
    return stop(Goal::Kind::kCut, FaultKind::kCut, "so many blocks of memory");
  block.address = space.base_of(*unit);
  block.allocated = guard();
  blocks_of_[block.site].push_back(blocks_.size());
  if (is_heap)
    allocates_late_ = allocates_late_ || has_freed_;
  else
    frames_.back().blocks.push_back(blocks_.size());
  assign(action.dest, terms_.constant(block.address, procedure().locals[action.dest].width));
  blocks_.push_back(block);
}

void Walker::free_block(const program::Free& action) {
  const Term address = evaluate(action.address);
  const unsigned width = terms_.sort(address).width;
  const Term is_null = terms_.equal(address, terms_.constant(0, width));
  if (is_true(is_null))
    return;
  Term is_block = terms_.boolean(false);
  Term has_ended = terms_.boolean(false);
  std::vector<std::pair<std::uint32_t, Term>> flags;
  for (const Block& block : blocks_) {
    if (program_.objects[block.site].kind != Object::Kind::kHeapSite)
      continue;
    if (action.may.is_valid() &&
        !std::ranges::binary_search(program_.object_sets[action.may], block.site))
      continue;
    const Term is_this = terms_.equal(address, terms_.constant(block.address, width));
    if (is_false(is_this))
      continue;
    is_block = terms_.or_(is_block, is_this);
    const std::uint32_t cell = ended_cell(block.address);
    has_ended = terms_.or_(has_ended, terms_.and_(is_this, cell_value(cell)));
    flags.emplace_back(cell, is_this);
  }
  check(terms_.or_(is_null, is_block),
        FaultKind::kInvalidFree,
        "free inside of, or of no heap block");
  check(terms_.not_(has_ended), FaultKind::kDoubleFree, "a block is freed again");
  if (is_dead())
    return;
  for (const auto& [cell, is_this] : flags)
    set_cell(cell, terms_.or_(cell_value(cell), is_this));
  has_freed_ = true;
}

void Walker::block_size(const program::BlockSize& action) {
  const Term address = evaluate(action.address);
  const unsigned width = terms_.sort(address).width;
  const unsigned result_width = procedure().locals[action.dest].width;
  Term is_good = terms_.boolean(false);
  Term result = terms_.constant(0, result_width);
  for (const Block& block : blocks_) {
    if (program_.objects[block.site].kind != Object::Kind::kHeapSite)
      continue;
    Term is_this = terms_.equal(address, terms_.constant(block.address, width));
    if (is_false(is_this))
      continue;
    is_this = terms_.and_(is_this, terms_.not_(cell_value(ended_cell(block.address))));
    is_good = terms_.or_(is_good, is_this);
    const Term size = block.length.is_valid() ? widened(block.length, result_width)
                                              : terms_.constant(block.size, result_width);
    result = terms_.ite(is_this, size, result);
  }
  check(is_good, FaultKind::kInvalidFree, "not the start of a live heap block");
  assign(action.dest, result);
}

/// The blocks of the frame end with it.
void Walker::end_frame() {
  for (const std::size_t index : frames_.back().blocks)
    if (may_end(blocks_[index].site))
      set_cell(ended_cell(blocks_[index].address), terms_.boolean(true));
}

} // namespace heddle::engine::bounded
