// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Accesses of memory in the events for a solver. Memory that other threads may touch has events;
// memory of one thread only is followed like registers, piece by piece.
#include "program/events/event_builder.h"
#include "program/events/event_prefix.h"
#include "support/check.h"

#include <algorithm>
#include <utility>

namespace heddle::program {

namespace {

/// A private access that may go to more places than this has an event instead of being followed.
constexpr std::size_t kMostCandidates = 128;

} // namespace

/// With `marks`, one for each piece, it copies: these say which bytes it finds unwritten.
PrefixBuilder::Reading PrefixBuilder::read(const AccessPlace& place,
                                           const Access& access,
                                           Term address,
                                           Term guard,
                                           std::span<const Term> marks) {
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
    if (!marks.empty())
      event.marks = marks[offset / place.piece];
    const EventIndex index = add(std::move(event));
    const Term value = terms_.variable(EventSet::variable_of(index),
                                       logic::Sort{static_cast<std::uint8_t>(8U * place.piece)});
    set_.events[index].value = value;
    reading.events.push_back(index);
    reading.value = offset == 0 ? value : terms_.concat(value, reading.value);
  }
  return reading;
}

std::vector<EventIndex> PrefixBuilder::write(const AccessPlace& place,
                                             const Access& access,
                                             Term address,
                                             Term value,
                                             Term guard,
                                             Term marks) {
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
    if (marks.is_valid())
      event.marks = terms_.extract(marks, offset, place.piece);
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
    cells_.push_back({address, size, {}, {}});
  HEDDLE_CHECK(cells_[entry->second].size == size, "pieces of private memory that overlap");
  return entry->second;
}

/// None: they are arbitrary.
std::optional<std::uint64_t> PrefixBuilder::initial_bytes_of(const Cell& cell) const {
  // Of blocks in one place, the last is the one that is there now.
  for (auto block = set_.blocks.rbegin(); block != set_.blocks.rend(); ++block)
    if (cell.address >= block->address && cell.address < block->address + block->size)
      return block->is_zeroed ? std::optional<std::uint64_t>(0) : std::nullopt;
  return initial_bytes(set_, cell.address, cell.size);
}

Term PrefixBuilder::initial_of(std::uint32_t index) {
  if (cells_[index].initial.is_valid())
    return cells_[index].initial;
  const Cell cell = cells_[index];
  Term value;
  if (const std::optional<std::uint64_t> bytes = initial_bytes_of(cell)) {
    value = terms_.constant(*bytes, 8U * cell.size);
  } else {
    value = fresh_choice(8U * cell.size);
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

PrefixBuilder::Followed PrefixBuilder::load_followed(const AccessPlace& place, Term address) {
  Followed result{terms_.constant(0, 8U * place.size), no_marks(place.size)};
  const std::optional<std::vector<std::uint64_t>> places = candidates(place, address);
  if (!places) {
    for (const auto& [object, offsets] : place.targets)
      context_.too_hard.insert(object);
    return result;
  }
  for (std::size_t i = 0; i < places->size(); ++i) {
    Followed here;
    for (unsigned offset = 0; offset < place.size; offset += place.piece) {
      const std::uint32_t cell = cell_at((*places)[i] + offset, place.piece);
      const Followed part{cell_value(cell), marks_of(cell)};
      here.value = offset == 0 ? part.value : terms_.concat(part.value, here.value);
      here.marks = offset == 0 ? part.marks : terms_.concat(part.marks, here.marks);
    }
    const Term is_here =
        terms_.equal(address, terms_.constant((*places)[i], terms_.sort(address).width));
    result.value = i == 0 ? here.value : terms_.ite(is_here, here.value, result.value);
    result.marks = i == 0 ? here.marks : terms_.ite(is_here, here.marks, result.marks);
  }
  return result;
}

/// A read that is no copy: from then on unwritten bytes hold what it finds.
Term PrefixBuilder::fix_followed(const AccessPlace& place, Term address) {
  const Followed found = load_followed(place, address);
  const Term is_written = terms_.equal(found.marks, no_marks(place.size));
  if (is_true(is_written))
    return found.value;
  StaticEvent event;
  event.kind = StaticEvent::Kind::kFound;
  event.guard = terms_.and_(guard(), terms_.not_(is_written));
  event.value = found.value;
  add(std::move(event));
  const std::optional<std::vector<std::uint64_t>> places = candidates(place, address);
  if (!places)
    return found.value;
  for (const std::uint64_t candidate : *places)
    for (unsigned offset = 0; offset < place.size; offset += place.piece) {
      const std::uint32_t cell = cell_at(candidate + offset, place.piece);
      const Term is_here =
          terms_.equal(address, terms_.constant(candidate, terms_.sort(address).width));
      set_marks(cell, terms_.ite(is_here, no_marks(place.piece), marks_of(cell)));
    }
  return found.value;
}

/// The bytes of `marks`, if there are any, become unwritten.
void PrefixBuilder::store_followed(const AccessPlace& place, Term address, Term value, Term marks) {
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
      const Term part_marks =
          marks.is_valid() ? terms_.extract(marks, offset, place.piece) : no_marks(place.piece);
      const std::uint32_t cell = cell_at(candidate + offset, place.piece);
      const Term is_here =
          terms_.equal(address, terms_.constant(candidate, terms_.sort(address).width));
      const Term stored = is_true(is_here) ? part : terms_.ite(is_here, part, cell_value(cell));
      path_.cells = tables_.set(path_.cells, path_.owner, cell, stored);
      set_marks(cell, terms_.ite(is_here, part_marks, marks_of(cell)));
    }
}

/// Unwritten bytes are copied as such: they are 0 in the value, and marked.
void PrefixBuilder::copy(const Load& action, const AccessPlace& place, Term address) {
  Followed found{{}, no_marks(place.size)};
  if (place.is_followed) {
    found = load_followed(place, address);
  } else {
    std::vector<Term> marks; // of each piece
    if (context_.unwritten.may_be_found(place))
      for (unsigned offset = 0; offset < place.size; offset += place.piece) {
        marks.push_back(fresh_choice(place.piece));
        found.marks = offset == 0 ? marks.back() : terms_.concat(marks.back(), found.marks);
      }
    found.value = read(place, action.access, address, guard(), marks).value;
  }
  const Term value =
      with_marked_bytes(terms_, found.value, terms_.constant(0, 8U * place.size), found.marks);
  assign(action.dest, widened(value, procedure().locals[action.dest].width));
  assign(*action.marks, widened(found.marks, procedure().locals[*action.marks].width));
}

void PrefixBuilder::load(const Load& action) {
  const AccessPlace& place =
      context_.pieces.place(frames_.back().procedure, action.address, 0, action.access.size);
  const Term address = evaluate(action.address);
  judge(place, address, place.size, false);
  if (is_dead())
    return;
  if (action.marks) {
    copy(action, place, address);
    return;
  }
  const Term value = place.is_followed ? fix_followed(place, address)
                                       : read(place, action.access, address, guard()).value;
  assign(action.dest, widened(value, procedure().locals[action.dest].width));
}

void PrefixBuilder::store(const Store& action) {
  const AccessPlace& place =
      context_.pieces.place(frames_.back().procedure, action.address, 0, action.access.size);
  const Term address = evaluate(action.address);
  Term value = widened(evaluate(action.value), 8U * action.access.size);
  judge(place, address, place.size, true);
  if (is_dead())
    return;
  Term marks;
  if (action.marks) {
    marks = widened(evaluate(*action.marks), place.size);
    // What it will be is chosen here; nobody can tell that from a choice when it is read.
    if (!is_true(terms_.equal(marks, no_marks(place.size))))
      value = with_marked_bytes(terms_, value, fresh_choice(8U * place.size), marks);
  }
  if (place.is_followed)
    store_followed(place, address, value, marks);
  else
    write(place, action.access, address, value, guard(), marks);
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
    old_value = fix_followed(place, address);
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
    reading.value = fix_followed(place, address);
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
