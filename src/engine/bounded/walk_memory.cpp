// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Accesses of memory. What nobody has written is arbitrary but the same for all who read it, as the
// interpreter has it: a piece of a block has a variable until it is written, and the first read is
// where the run chooses its value.
#include "engine/bounded/walk.h"
#include "program/events/event_builder.h"
#include "program/events/unwritten_objects.h"
#include "support/check.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <utility>

namespace heddle::engine::bounded {

using logic::Op;
using program::AccessPlace;

namespace {

/// As few and as low as tell the numbers apart.
AddressBits distinguishing(const std::vector<std::uint64_t>& values) {
  std::uint64_t difference = 0;
  for (const std::uint64_t one : values)
    difference |= one ^ values.front();
  AddressBits bits{static_cast<unsigned>(std::countr_zero(difference)), 1};
  for (;; ++bits.count) {
    std::vector<std::uint64_t> parts;
    for (const std::uint64_t one : values)
      parts.push_back(bits.of(one));
    std::sort(parts.begin(), parts.end());
    if (std::adjacent_find(parts.begin(), parts.end()) == parts.end())
      return bits;
  }
}

} // namespace

std::uint32_t Walker::cell_at(std::uint64_t address, std::uint8_t size) {
  const auto [entry, is_new] =
      cell_of_.try_emplace(address, static_cast<std::uint32_t>(cells_.size()));
  if (is_new) {
    if (cells_.size() >= TermTables::kLargestIndex)
      error_ = Error{ErrorKind::kUnsupported, "BND-003", "the program uses too much memory"};
    cells_.push_back({address, size, {}});
  }
  HEDDLE_CHECK(cells_[entry->second].size == size, "pieces of memory that overlap");
  return entry->second;
}

Term Walker::initial_of(std::uint32_t index) {
  if (cells_[index].initial.is_valid())
    return cells_[index].initial;
  const std::uint64_t address = cells_[index].address;
  const unsigned width = 8U * cells_[index].size;
  Term value;
  const program::AddressSpace space = program_.space();
  if (space.unit_of(address) >= program::AddressSpace::kFirstFrameUnit) {
    const auto block = std::ranges::find_if(blocks_, [&](const Block& one) {
      return address >= one.address && address < one.address + one.size;
    });
    const bool is_zeroed = block != blocks_.end() && block->is_zeroed;
    value = is_zeroed ? terms_.constant(0, width)
                      : symbols_.variable(terms_, Symbols::kBeforeAll, address, 0, width);
    cells_[index].is_unwritten = !is_zeroed;
  } else {
    std::uint64_t bytes = 0;
    for (const program::Object& object : program_.objects) {
      if (object.kind != program::Object::Kind::kGlobal &&
          object.kind != program::Object::Kind::kThreadLocal)
        continue;
      const std::uint64_t base = space.base_of(object.unit);
      if (address < base || address - base >= object.size)
        continue;
      for (unsigned i = 0; i < cells_[index].size; ++i)
        if (address - base + i < object.initial.size())
          bytes |= std::uint64_t{object.initial[address - base + i]} << (8 * i);
    }
    value = terms_.constant(bytes, width);
  }
  cells_[index].initial = value;
  return value;
}

Term Walker::cell_value(std::uint32_t cell) {
  const Term value = paths_.tables().get(path_.cells, cell);
  return value.is_valid() ? value : initial_of(cell);
}

Term Walker::written_at_first(std::uint32_t cell) {
  (void)initial_of(cell);
  return terms_.boolean(!cells_[cell].is_unwritten);
}

Term Walker::is_written(std::uint32_t cell) {
  const Term value = paths_.tables().get(path_.written, cell);
  return value.is_valid() ? value : written_at_first(cell);
}

void Walker::set_cell(std::uint32_t cell, Term value) {
  path_.cells = paths_.tables().set(path_.cells, path_.owner, cell, value);
}

void Walker::set_written(std::uint32_t cell, Term value) {
  if (is_written(cell) != value)
    path_.written = paths_.tables().set(path_.written, path_.owner, cell, value);
}

std::optional<std::vector<std::uint64_t>> Walker::places_of(const AccessPlace& place,
                                                            Term address) {
  if (terms_.is_constant(address))
    return std::vector<std::uint64_t>{terms_.node(address).value};
  const auto too_many = [&]() -> std::optional<std::vector<std::uint64_t>> {
    stop(Goal::Kind::kTrap,
         program::FaultKind::kTrap,
         fmt::format("an access that may go to more than {} places", kMostPlaces));
    return std::nullopt;
  };
  const std::vector<Span> spans = spans_of(place, false);
  std::vector<std::uint64_t> result;
  if (const std::vector<std::uint64_t>* values = sets_.of(address)) {
    for (const std::uint64_t value : *values)
      if (std::ranges::any_of(spans,
                              [&](const Span& span) {
                                return value >= span.address && value - span.address < span.size &&
                                       span.size - (value - span.address) >= place.size;
                              }) &&
          (!place.is_any || value % place.size == 0))
        result.push_back(value);
    return result;
  }
  const logic::Range range = sets_.range(address);
  for (const Span& span : spans) {
    std::int64_t first = 0;
    auto stride = static_cast<std::int64_t>(place.size);
    for (const auto& [object, offsets] : place.targets)
      if (object == span.object) {
        first = offsets.first;
        stride = static_cast<std::int64_t>(offsets.stride);
      }
    if (span.size < place.size)
      continue;
    const auto last = static_cast<std::int64_t>(span.size - place.size);
    if (stride > 0 && first < 0)
      first += (-first + stride - 1) / stride * stride;
    else if (stride > 0)
      first %= stride; // the progression goes both ways
    for (std::int64_t offset = first; offset >= 0 && offset <= last; offset += stride) {
      const std::uint64_t at = span.address + static_cast<std::uint64_t>(offset);
      if (range.contains(at))
        result.push_back(at);
      if (result.size() > kMostPlaces)
        return too_many();
      if (stride == 0)
        break;
    }
  }
  std::sort(result.begin(), result.end());
  result.erase(std::unique(result.begin(), result.end()), result.end());
  return result;
}

/// The low bits of a number, computed from low bits where they do not depend on others: the sum of
/// a base that ends in zeros and an offset needs no adder.
Term Walker::low_bits(Term term, unsigned width, unsigned depth) {
  constexpr unsigned kDeepestTerm = 50;
  const logic::Node node = terms_.node(term);
  if (node.sort.width == width)
    return term;
  const auto argument = [&](unsigned index) {
    return low_bits(terms_.arguments(term)[index], width, depth + 1);
  };
  if (depth > kDeepestTerm)
    return terms_.extract(term, 0, width);
  const auto key = std::pair{term, width};
  if (const auto found = low_bits_.find(key); found != low_bits_.end())
    return found->second;
  Term result;
  switch (node.op) {
  case Op::kAdd:
  case Op::kSub:
  case Op::kMul:
  case Op::kBitAnd:
  case Op::kBitOr:
  case Op::kBitXor: {
    const Term a = argument(0);
    const Term b = argument(1);
    result = terms_.binary(node.op, a, b);
    break;
  }
  case Op::kIte: {
    const Term a = argument(1);
    const Term b = argument(2);
    result = terms_.ite(terms_.arguments(term)[0], a, b);
    break;
  }
  case Op::kZeroExtend:
  case Op::kSignExtend:
    if (const Term inner = terms_.arguments(term)[0]; terms_.sort(inner).width >= width)
      result = low_bits(inner, width, depth + 1);
    else
      result = terms_.extract(term, 0, width);
    break;
  default:
    result = terms_.extract(term, 0, width);
    break;
  }
  low_bits_.emplace(key, result);
  return result;
}

Walker::Index Walker::index_of(Term address, const std::vector<std::uint64_t>& values) {
  if (values.size() == 1)
    return {};
  const AddressBits bits = distinguishing(values);
  const Term low = low_bits(address, bits.low + bits.count, 0);
  return {bits, terms_.extract(low, bits.low, bits.count)};
}

Term Walker::is_at(const Index& index, std::uint64_t value) {
  if (!index.term.is_valid())
    return terms_.boolean(true);
  return terms_.equal(index.term, terms_.constant(index.bits.of(value), index.bits.count));
}

/// The value of the place with that index, which is one of them. A choice by the bits of the index,
/// highest first: as many choices as there are places, without comparisons.
Term Walker::selected(Term index, std::vector<std::pair<std::uint64_t, Term>> values) {
  std::sort(
      values.begin(), values.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  const auto select = [&](const auto& self, std::size_t first, std::size_t last) -> Term {
    if (last - first == 1)
      return values[first].second;
    const std::uint64_t difference = values[first].first ^ values[last - 1].first;
    const auto bit = static_cast<unsigned>(std::bit_width(difference)) - 1;
    std::size_t middle = first;
    while ((values[middle].first >> bit & 1U) == 0)
      ++middle;
    const Term low = self(self, first, middle);
    const Term high = self(self, middle, last);
    if (low == high)
      return low;
    return terms_.ite(terms_.to_bool(terms_.extract(index, bit, 1)), high, low);
  };
  return select(select, 0, values.size());
}

std::optional<Walker::Seen> Walker::read(const AccessPlace& place, Term address) {
  const std::optional<std::vector<std::uint64_t>> places = places_of(place, address);
  if (!places)
    return std::nullopt;
  if (places->empty()) {
    Paths::kill(path_);
    return std::nullopt;
  }
  Seen seen;
  std::vector<std::pair<std::uint64_t, Term>> values;
  std::vector<std::pair<std::uint64_t, Term>> marks;
  const Index index = index_of(address, *places);
  for (const std::uint64_t at : *places) {
    Term value;
    Term marked = terms_.constant(0, 8);
    for (unsigned offset = 0; offset < place.size; offset += place.piece) {
      const std::uint32_t cell = cell_at(at + offset, place.piece);
      const Term part = cell_value(cell);
      value = offset == 0 ? part : terms_.concat(part, value);
      const Term written = is_written(cell);
      if (is_true(written))
        continue;
      seen.may_be_unwritten = true;
      const Term bytes = terms_.constant(logic::mask_of(place.piece) << offset, 8);
      const Term part_marks = terms_.ite(written, terms_.constant(0, 8), bytes);
      marked = terms_.binary(Op::kBitOr, marked, part_marks);
    }
    values.emplace_back(index.bits.of(at), value);
    marks.emplace_back(index.bits.of(at), marked);
  }
  seen.value = selected(index.term, std::move(values));
  seen.marks = selected(index.term, std::move(marks));
  return seen;
}

void Walker::write(const AccessPlace& place, Term address, Term value, Term marks) {
  const std::optional<std::vector<std::uint64_t>> places = places_of(place, address);
  if (!places)
    return;
  if (places->empty())
    return Paths::kill(path_);
  const Index index = index_of(address, *places);
  for (const std::uint64_t at : *places) {
    const Term is_here = is_at(index, at);
    for (unsigned offset = 0; offset < place.size; offset += place.piece) {
      const Term part =
          place.piece == place.size ? value : terms_.extract(value, 8 * offset, 8U * place.piece);
      const std::uint32_t cell = cell_at(at + offset, place.piece);
      const Term part_marks = terms_.extract(marks, offset, place.piece);
      const Term leaves_marks = terms_.equal(part_marks, terms_.constant(0, place.piece));
      set_cell(cell, terms_.ite(is_here, part, cell_value(cell)));
      if (const Term written = is_written(cell); !is_true(written) || !is_true(leaves_marks))
        set_written(cell, terms_.ite(is_here, leaves_marks, written));
    }
  }
}

/// A read that is no copy gives unwritten bytes their value.
void Walker::take_unwritten(const AccessPlace& place, Term address, const Seen& seen) {
  if (!seen.may_be_unwritten)
    return;
  const Term is_marked = terms_.not_(terms_.equal(seen.marks, terms_.constant(0, 8)));
  decide(terms_.and_(guard(), is_marked), seen.value);
  write(place, address, seen.value, terms_.constant(0, 8));
}

void Walker::load(const program::Load& action) {
  const AccessPlace& place =
      pieces_.place(frames_.back().procedure, action.address, 0, action.access.size);
  const Term address = evaluate(action.address);
  judge(place, address, place.size, false);
  if (is_dead())
    return;
  const std::optional<Seen> seen = read(place, address);
  if (!seen)
    return;
  Term value = seen->value;
  if (action.marks) // a copy finds 0 where nobody has written
    value = program::with_marked_bytes(terms_,
                                       value,
                                       terms_.constant(0, 8U * place.size),
                                       terms_.extract(seen->marks, 0, place.size));
  else
    take_unwritten(place, address, *seen);
  assign(action.dest, widened(value, procedure().locals[action.dest].width));
  if (action.marks)
    assign(*action.marks, seen->marks);
}

void Walker::store(const program::Store& action) {
  const AccessPlace& place =
      pieces_.place(frames_.back().procedure, action.address, 0, action.access.size);
  const Term address = evaluate(action.address);
  const Term value = fitted(widened(evaluate(action.value), 8U * action.access.size));
  const Term marks = action.marks ? evaluate(*action.marks) : terms_.constant(0, 8);
  judge(place, address, place.size, true);
  if (!is_dead())
    write(place, address, value, marks);
}

void Walker::read_modify_write(const program::ReadModifyWrite& action) {
  const AccessPlace& place =
      pieces_.place(frames_.back().procedure, action.address, 0, action.access.size);
  const Term address = evaluate(action.address);
  const Term operand = widened(evaluate(action.value), 8U * action.access.size);
  judge(place, address, place.size, true);
  if (is_dead())
    return;
  const std::optional<Seen> seen = read(place, address);
  if (!seen)
    return;
  take_unwritten(place, address, *seen);
  const Term result = fitted(program::rmw_result(terms_, action.op, seen->value, operand));
  write(place, address, result, terms_.constant(0, 8));
  assign(action.dest, widened(seen->value, procedure().locals[action.dest].width));
}

void Walker::compare_exchange(const program::CompareExchange& action) {
  const AccessPlace& place =
      pieces_.place(frames_.back().procedure, action.address, 0, action.access.size);
  const Term address = evaluate(action.address);
  const Term expected = widened(evaluate(action.expected), 8U * action.access.size);
  const Term desired = widened(evaluate(action.desired), 8U * action.access.size);
  judge(place, address, place.size, true);
  if (is_dead())
    return;
  const std::optional<Seen> seen = read(place, address);
  if (!seen)
    return;
  Term succeeds = terms_.equal(seen->value, expected);
  if (action.weak) {
    // It may fail by itself, which a run chooses where it could succeed.
    const Term chosen = choose(1);
    decide(terms_.and_(guard(), succeeds), terms_.bit_not(chosen)); // 1: it fails
    succeeds = terms_.and_(succeeds, terms_.to_bool(chosen));
  } else {
    take_unwritten(place, address, *seen);
  }
  write(place, address, terms_.ite(succeeds, desired, seen->value), terms_.constant(0, 8));
  const unsigned width = procedure().locals[action.success].width;
  assign(action.dest, widened(seen->value, procedure().locals[action.dest].width));
  assign(action.success, widened(terms_.to_bit(succeeds), width));
}

} // namespace heddle::engine::bounded
