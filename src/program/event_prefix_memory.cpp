// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Accesses of memory in the events for a solver. Memory that other threads may touch has events;
// memory of one thread only is followed like registers, piece by piece.
#include "program/event_builder.h"
#include "program/event_prefix.h"
#include "support/check.h"

#include <algorithm>
#include <utility>

namespace heddle::program {

namespace {

/// A private access that may go to more places than this has an event instead of being followed.
constexpr std::size_t kMostCandidates = 128;

} // namespace

PrefixBuilder::Reading
PrefixBuilder::read(const AccessPlace& place, const Access& access, Term address, Term guard) {
  const auto first = static_cast<std::uint32_t>(set_.events.size());
  Reading reading;
  for (unsigned offset = 0; offset < place.size; offset += place.piece) {
    StaticEvent event;
    event.kind = StaticEvent::Kind::kRead;
    event.guard = guard;
    event.address = terms_.binary(
        logic::Op::kAdd, address, terms_.constant(offset, terms_.sort(address).width));
    event.size = place.piece;
    event.may = access.may;
    event.access = access.kind;
    event.order = access.order;
    event.tags = access.tags;
    event.drains = access.drains;
    event.piece_of = first;
    const EventIndex index = add(std::move(event));
    const Term value = terms_.variable(EventSet::variable_of(index),
                                       logic::Sort{static_cast<std::uint8_t>(8U * place.piece)});
    set_.events[index].value = value;
    reading.events.push_back(index);
    reading.value = offset == 0 ? value : terms_.concat(value, reading.value);
  }
  return reading;
}

std::vector<EventIndex> PrefixBuilder::write(
    const AccessPlace& place, const Access& access, Term address, Term value, Term guard) {
  const auto first = static_cast<std::uint32_t>(set_.events.size());
  std::vector<EventIndex> events;
  for (unsigned offset = 0; offset < place.size; offset += place.piece) {
    StaticEvent event;
    event.kind = StaticEvent::Kind::kWrite;
    event.guard = guard;
    event.address = terms_.binary(
        logic::Op::kAdd, address, terms_.constant(offset, terms_.sort(address).width));
    event.value =
        place.piece == place.size ? value : terms_.extract(value, 8 * offset, 8U * place.piece);
    event.size = place.piece;
    event.may = access.may;
    event.access = access.kind;
    event.order = access.order;
    event.tags = access.tags;
    event.drains = access.drains;
    event.piece_of = first;
    events.push_back(add(std::move(event)));
  }
  return events;
}

void PrefixBuilder::relate_update(const Reading& reading, const std::vector<EventIndex>& writes) {
  for (std::size_t i = 0; i < writes.size(); ++i)
    set_.amo.push_back({reading.events[i], writes[i], terms_.boolean(true)});
}

// Private memory.

std::uint32_t PrefixBuilder::cell_at(std::uint64_t address, std::uint8_t size) {
  const auto [entry, is_new] =
      cell_of_.try_emplace(address, static_cast<std::uint32_t>(cells_.size()));
  if (is_new)
    cells_.push_back({address, size, {}});
  HEDDLE_CHECK(cells_[entry->second].size == size, "pieces of private memory that overlap");
  return entry->second;
}

Term PrefixBuilder::initial_of(std::uint32_t index) {
  Cell& cell = cells_[index];
  if (cell.initial.is_valid())
    return cell.initial;
  // Of blocks in one place, the last is the one that is there now.
  std::optional<std::uint64_t> bytes;
  bool is_in_block = false;
  for (auto block = set_.blocks.rbegin(); block != set_.blocks.rend() && !is_in_block; ++block)
    if (cell.address >= block->address && cell.address < block->address + block->size) {
      is_in_block = true;
      if (block->is_zeroed)
        bytes = 0;
    }
  if (!is_in_block)
    bytes = initial_bytes(set_, cell.address, cell.size);
  Term value;
  if (bytes) {
    value = terms_.constant(*bytes, 8U * cell.size);
  } else {
    // The address says that it is what memory of the thread's own holds at first.
    value = fresh_choice(8U * cell.size);
    set_.events.back().address = terms_.constant(cell.address, context_.program.pointer_bits());
    set_.events.back().size = cell.size;
  }
  cells_[index].initial = value;
  return value;
}

Term PrefixBuilder::cell_value(std::uint32_t cell) {
  const Term value = tables_.get(path_.cells, cell);
  return value.is_valid() ? value : initial_of(cell);
}

std::optional<std::vector<std::uint64_t>> PrefixBuilder::candidates(const AccessPlace& place,
                                                                    Term address) {
  if (terms_.is_constant(address))
    return std::vector<std::uint64_t>{terms_.node(address).value};
  std::vector<std::uint64_t> result;
  for (const auto& [object, offsets] : place.targets)
    for (const Span& span : spans_of(object)) {
      if (span.length.is_valid() || span.size < place.size)
        return std::nullopt;
      const auto last = static_cast<std::int64_t>(span.size - place.size);
      const auto stride = static_cast<std::int64_t>(offsets.stride);
      for (std::int64_t offset = offsets.first; offset <= last; offset += stride) {
        if (offset >= 0)
          result.push_back(span.address + static_cast<std::uint64_t>(offset));
        if (result.size() > kMostCandidates)
          return std::nullopt;
        if (stride == 0)
          break;
      }
    }
  std::sort(result.begin(), result.end());
  result.erase(std::unique(result.begin(), result.end()), result.end());
  return result;
}

Term PrefixBuilder::load_followed(const AccessPlace& place, Term address) {
  const std::optional<std::vector<std::uint64_t>> places = candidates(place, address);
  if (!places) {
    for (const auto& [object, offsets] : place.targets)
      context_.too_hard.insert(object);
    return terms_.constant(0, 8U * place.size);
  }
  Term result = terms_.constant(0, 8U * place.size);
  for (std::size_t i = 0; i < places->size(); ++i) {
    Term value;
    for (unsigned offset = 0; offset < place.size; offset += place.piece) {
      const Term part = cell_value(cell_at((*places)[i] + offset, place.piece));
      value = offset == 0 ? part : terms_.concat(part, value);
    }
    const Term is_here =
        terms_.equal(address, terms_.constant((*places)[i], terms_.sort(address).width));
    result = i == 0 ? value : terms_.ite(is_here, value, result);
  }
  return result;
}

void PrefixBuilder::store_followed(const AccessPlace& place, Term address, Term value) {
  const std::optional<std::vector<std::uint64_t>> places = candidates(place, address);
  if (!places) {
    for (const auto& [object, offsets] : place.targets)
      context_.too_hard.insert(object);
    return;
  }
  for (const std::uint64_t candidate : *places)
    for (unsigned offset = 0; offset < place.size; offset += place.piece) {
      const Term part =
          place.piece == place.size ? value : terms_.extract(value, 8 * offset, 8U * place.piece);
      const std::uint32_t cell = cell_at(candidate + offset, place.piece);
      const Term is_here =
          terms_.equal(address, terms_.constant(candidate, terms_.sort(address).width));
      const Term stored = is_true(is_here) ? part : terms_.ite(is_here, part, cell_value(cell));
      path_.cells = tables_.set(path_.cells, path_.owner, cell, stored);
    }
}

void PrefixBuilder::load(const Load& action) {
  const AccessPlace& place =
      context_.pieces.place(frames_.back().procedure, action.address, 0, action.access.size);
  const Term address = evaluate(action.address);
  judge(place, address, place.size, false);
  if (is_dead())
    return;
  const Term value = place.is_followed ? load_followed(place, address)
                                       : read(place, action.access, address, guard()).value;
  assign(action.dest, widened(value, procedure().locals[action.dest].width));
  if (action.marks)
    assign(*action.marks, terms_.constant(0, 8));
}

void PrefixBuilder::store(const Store& action) {
  const AccessPlace& place =
      context_.pieces.place(frames_.back().procedure, action.address, 0, action.access.size);
  const Term address = evaluate(action.address);
  const Term value = widened(evaluate(action.value), 8U * action.access.size);
  judge(place, address, place.size, true);
  if (is_dead())
    return;
  if (place.is_followed)
    store_followed(place, address, value);
  else
    write(place, action.access, address, value, guard());
}

void PrefixBuilder::read_modify_write(const ReadModifyWrite& action) {
  const AccessPlace& place =
      context_.pieces.place(frames_.back().procedure, action.address, 0, action.access.size);
  const Term address = evaluate(action.address);
  const Term operand = widened(evaluate(action.value), 8U * action.access.size);
  judge(place, address, place.size, true);
  if (is_dead())
    return;
  Term old_value;
  if (place.is_followed) {
    if (action.access.drains)
      endpoint(true);
    old_value = load_followed(place, address);
    store_followed(place, address, rmw_result(terms_, action.op, old_value, operand));
  } else {
    const Reading reading = read(place, action.access, address, guard());
    old_value = reading.value;
    relate_update(reading,
                  write(place,
                        action.access,
                        address,
                        rmw_result(terms_, action.op, old_value, operand),
                        guard()));
  }
  assign(action.dest, widened(old_value, procedure().locals[action.dest].width));
}

void PrefixBuilder::compare_exchange(const CompareExchange& action) {
  const AccessPlace& place =
      context_.pieces.place(frames_.back().procedure, action.address, 0, action.access.size);
  const Term address = evaluate(action.address);
  const Term expected = widened(evaluate(action.expected), 8U * action.access.size);
  const Term desired = widened(evaluate(action.desired), 8U * action.access.size);
  judge(place, address, place.size, true);
  if (is_dead())
    return;
  Reading reading;
  if (place.is_followed) {
    if (action.access.drains)
      endpoint(true);
    reading.value = load_followed(place, address);
  } else {
    reading = read(place, action.access, address, guard());
  }
  Term succeeds = terms_.equal(reading.value, expected);
  if (action.weak)
    succeeds = terms_.and_(succeeds, terms_.to_bool(fresh_choice(1)));
  if (place.is_followed) {
    store_followed(place, address, terms_.ite(succeeds, desired, reading.value));
  } else {
    relate_update(reading,
                  write(place, action.access, address, desired, terms_.and_(guard(), succeeds)));
    if (action.failure_order != action.access.order)
      for (const EventIndex event : reading.events) {
        set_.events[event].success = succeeds;
        set_.events[event].failure_order = action.failure_order;
      }
  }
  assign(action.dest, widened(reading.value, procedure().locals[action.dest].width));
  assign(action.success,
         widened(terms_.to_bit(succeeds), procedure().locals[action.success].width));
}

} // namespace heddle::program
