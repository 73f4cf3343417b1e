// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Memory that only its own thread can see has no events: what is in it is followed like registers.
#include "program/events/event_builder.h"

#include <algorithm>
#include <utility>

namespace heddle::program {

namespace {

/// A private array with more pieces than this is not followed through a variable index.
constexpr std::size_t kMostPieces = 256;

/// Is there memory of the program at all these bytes, and may it be written?
bool is_inside(
    const EventSet& set, std::uint32_t thread, std::uint64_t address, unsigned size, bool writes) {
  const auto covers = [&](std::uint64_t base, std::uint64_t length) {
    return address >= base && address + size <= base + length;
  };
  const AddressSpace space = set.program->space();
  for (const Object& object : set.program->objects) {
    const bool is_thread_local = object.kind == Object::Kind::kThreadLocal;
    if ((object.kind == Object::Kind::kGlobal || is_thread_local) &&
        covers(
            space.base_of(object.unit +
                          (is_thread_local ? area_of(thread) * space.units_for(object.size) : 0)),
            object.size))
      return !writes || !object.is_constant;
  }
  return std::any_of(set.blocks.begin(), set.blocks.end(), [&](const EventSet::Block& block) {
    return covers(block.address, block.size);
  });
}

/// The check that fails where that is not so.
StaticEvent invalid_access(logic::TermStore& terms) {
  StaticEvent event;
  event.kind = StaticEvent::Kind::kCheck;
  event.value = terms.boolean(false);
  event.text = "an access to where nothing is";
  event.fault = FaultKind::kInvalidAccess;
  return event;
}

} // namespace

Term EventBuilder::initial_value(std::uint64_t address, std::uint8_t size) {
  if (const std::optional<std::uint64_t> bytes = initial_bytes(set_, address, size))
    return terms_.constant(*bytes, 8U * size);
  return fresh_choice(8U * size);
}

PrivateCell& EventBuilder::private_piece(std::uint64_t address, std::uint8_t size) {
  const auto found = state_.privates.find(address);
  if (found != state_.privates.end() && found->second.size == size)
    return found->second;
  if (found != state_.privates.end()) {
    error_ = refuse(state_.loc, "an access that leaves its object for memory of another kind");
    misfit_ = {size, {terms_.constant(0, 8U * size), {}, 0}, {terms_.constant(0, size), {}, 0}};
    return misfit_;
  }
  const bool is_arbitrary = !initial_bytes(set_, address, size);
  const Term marks = terms_.constant(is_arbitrary ? logic::mask_of(size) : 0, size);
  return state_.privates
      .emplace(address, PrivateCell{size, {initial_value(address, size), {}, 0}, {marks, {}, 0}})
      .first->second;
}

/// The addresses a private access may go to; none if they are not known well enough.
std::optional<std::vector<std::uint64_t>> EventBuilder::private_candidates(const AccessPlace& place,
                                                                           Term address) {
  if (terms_.is_constant(address))
    return std::vector<std::uint64_t>{terms_.node(address).value};
  const AddressSpace space = context_.program.space();
  std::vector<std::uint64_t> candidates;
  const auto add_all = [&](std::uint64_t base, std::uint64_t size, const Offsets& offsets) {
    const auto last = static_cast<std::int64_t>(size) - place.size;
    const auto stride = static_cast<std::int64_t>(offsets.stride);
    const std::int64_t first =
        stride == 0 ? offsets.first : ((offsets.first % stride) + stride) % stride;
    for (std::int64_t offset = first; offset <= last; offset += stride) {
      if (offset >= 0)
        candidates.push_back(base + static_cast<std::uint64_t>(offset));
      if (stride == 0 || candidates.size() > kMostPieces)
        break;
    }
  };
  for (const auto& [id, offsets] : place.targets) {
    const Object& object = context_.program.objects[id];
    if (object.kind == Object::Kind::kGlobal)
      add_all(space.base_of(object.unit), object.size, offsets);
    else if (object.kind == Object::Kind::kThreadLocal)
      add_all(space.base_of(object.unit + area_of(thread_.thread) * space.units_for(object.size)),
              object.size,
              offsets);
    else
      for (const EventSet::Block& block : set_.blocks)
        if (block.site == id)
          add_all(block.address, block.size, offsets);
    if (candidates.size() > kMostPieces)
      return std::nullopt;
  }
  return candidates;
}

void EventBuilder::stop_freed(Term address) {
  const unsigned width = terms_.sort(address).width;
  for (const auto& [freed, guard] : state_.freed)
    for (const EventSet::Block& block : set_.blocks) {
      const Term is_ended =
          terms_.and_(guard, terms_.equal(freed, terms_.constant(block.address, width)));
      const Term is_inside = terms_.and_(
          terms_.binary(logic::Op::kULe, terms_.constant(block.address, width), address),
          terms_.binary(
              logic::Op::kULt, address, terms_.constant(block.address + block.size, width)));
      if (!context_.options.keeps_frees) {
        trap_where(terms_.and_(is_ended, is_inside), "an access to memory that was freed");
        continue;
      }
      StaticEvent event;
      event.kind = StaticEvent::Kind::kCheck;
      event.value = terms_.not_(terms_.and_(is_ended, is_inside));
      event.text = "an access to memory that was freed";
      event.fault = FaultKind::kUseAfterFree;
      if (!terms_.is_constant(event.value) || terms_.node(event.value).value == 0)
        add(std::move(event));
    }
}

/// An access that is in none of the places is not followed: what it does is not known.
void EventBuilder::stop_outside(const std::vector<std::uint64_t>& candidates, Term address) {
  if (terms_.is_constant(address))
    return;
  Term is_inside = terms_.boolean(false);
  for (const std::uint64_t candidate : candidates)
    is_inside = terms_.or_(
        is_inside, terms_.equal(address, terms_.constant(candidate, terms_.sort(address).width)));
  StaticEvent event;
  event.kind = StaticEvent::Kind::kTrap;
  event.guard = terms_.and_(state_.guard, terms_.not_(is_inside));
  event.text = "an access outside of the memory of a thread that it may go to";
  if (!terms_.is_constant(event.guard))
    add(std::move(event));
}

void EventBuilder::check_length(const AccessPlace& place, Term address) {
  const unsigned width = terms_.sort(address).width;
  for (const EventSet::Block& block : set_.blocks) {
    if (!block.length.is_valid() || std::ranges::none_of(place.targets, [&](const auto& target) {
          return target.first == block.site;
        }))
      continue;
    const Term offset =
        terms_.binary(logic::Op::kSub, address, terms_.constant(block.address, width));
    const Term end =
        terms_.binary(logic::Op::kAdd, offset, terms_.constant(std::uint64_t{place.size}, width));
    StaticEvent event;
    event.kind = StaticEvent::Kind::kCheck;
    event.value =
        terms_.or_(terms_.binary(logic::Op::kULe, terms_.constant(block.size, width), offset),
                   terms_.binary(logic::Op::kULe, end, block.length));
    event.text = "an access behind the end of a block";
    event.fault = FaultKind::kOutOfBounds;
    if (!is_always_true(event.value))
      add(std::move(event));
  }
}

EventBuilder::Private
EventBuilder::load_private(const AccessPlace& place, Term address, const Origins& origins) {
  const std::optional<std::vector<std::uint64_t>> candidates = private_candidates(place, address);
  if (!candidates || candidates->empty()) {
    error_ = refuse(state_.loc, "an access to private memory at an address that is not known");
    return {{terms_.constant(0, 8U * place.size), {}, 0}, terms_.constant(0, place.size)};
  }
  stop_outside(*candidates, address);
  stop_freed(address);
  check_length(place, address);
  if (terms_.is_constant(address) &&
      !is_inside(set_, thread_.thread, candidates->front(), place.size, false))
    add(invalid_access(terms_));
  const std::uint8_t piece = place.piece;
  Known result;
  Term result_marks;
  bool is_chosen = false; // by the address: the places do not hold the same
  for (std::size_t i = 0; i < candidates->size(); ++i) {
    Term value;
    Term marks;
    for (unsigned offset = 0; offset < place.size; offset += piece) {
      const PrivateCell& cell = private_piece((*candidates)[i] + offset, piece);
      const Known& part = cell.known;
      value = offset == 0 ? part.value : terms_.concat(part.value, value);
      marks = offset == 0 ? cell.marks.value : terms_.concat(cell.marks.value, marks);
      add_each(result.sources, part.sources);
      add_each(result.chosen, part.chosen);
    }
    is_chosen = is_chosen || (i != 0 && value != result.value);
    const Term is_here =
        terms_.equal(address, terms_.constant((*candidates)[i], terms_.sort(address).width));
    result.value = i == 0 ? value : terms_.ite(is_here, value, result.value);
    result_marks = i == 0 ? marks : terms_.ite(is_here, marks, result_marks);
  }
  if (is_chosen && merges())
    for (const Sources* sources : {&origins.from, &origins.chosen})
      add_each(result.chosen, *sources);
  return {std::move(result), result_marks};
}

/// A read that is no copy: from then on unwritten bytes hold what it finds.
Known EventBuilder::fix_private(const AccessPlace& place, Term address, const Origins& origins) {
  Private found = load_private(place, address, origins);
  const Term is_written = terms_.equal(found.marks, terms_.constant(0, place.size));
  const std::optional<std::vector<std::uint64_t>> candidates = private_candidates(place, address);
  if (!candidates || (terms_.is_constant(is_written) && terms_.node(is_written).value != 0))
    return std::move(found.known);
  StaticEvent event;
  event.kind = StaticEvent::Kind::kFound;
  event.guard = terms_.and_(state_.guard, terms_.not_(is_written));
  event.value = found.known.value;
  add(std::move(event));
  const std::uint8_t piece = place.piece;
  for (const std::uint64_t candidate : *candidates)
    for (unsigned offset = 0; offset < place.size; offset += piece) {
      Term& marks = private_piece(candidate + offset, piece).marks.value;
      const Term is_here =
          terms_.equal(address, terms_.constant(candidate, terms_.sort(address).width));
      marks = terms_.ite(is_here, terms_.constant(0, piece), marks);
    }
  return std::move(found.known);
}

void EventBuilder::store_private(const AccessPlace& place,
                                 Term address,
                                 Term value,
                                 const Origins& address_origins,
                                 const Origins& origins,
                                 Term marks) {
  const std::optional<std::vector<std::uint64_t>> candidates = private_candidates(place, address);
  if (!candidates || candidates->empty()) {
    error_ = refuse(state_.loc, "an access to private memory at an address that is not known");
    return;
  }
  stop_outside(*candidates, address);
  stop_freed(address);
  check_length(place, address);
  const std::uint8_t piece = place.piece;
  const bool is_certain = terms_.is_constant(address);
  if (!std::all_of(candidates->begin(), candidates->end(), [&](std::uint64_t candidate) {
        return is_inside(set_, thread_.thread, candidate, place.size, true);
      })) {
    if (is_certain)
      add(invalid_access(terms_));
    else
      error_ = refuse(state_.loc, "a store to where something constant may be");
  }
  for (const std::uint64_t candidate : *candidates)
    for (unsigned offset = 0; offset < place.size; offset += piece) {
      const Term part = piece == place.size ? value : terms_.extract(value, 8 * offset, 8U * piece);
      const Term part_marks =
          marks.is_valid() ? terms_.extract(marks, offset, piece) : terms_.constant(0, piece);
      if (is_certain) {
        state_.privates[candidate + offset] = {
            piece, {part, origins.from, 0, origins.chosen}, {part_marks, {}, 0}};
        continue;
      }
      PrivateCell& cell = private_piece(candidate + offset, piece);
      Known& known = cell.known;
      const Term is_here =
          terms_.equal(address, terms_.constant(candidate, terms_.sort(address).width));
      known.value = terms_.ite(is_here, part, known.value);
      cell.marks.value = terms_.ite(is_here, part_marks, cell.marks.value);
      add_each(known.sources, origins.from);
      add_each(known.chosen, origins.chosen);
      if (merges()) {
        add_each(known.chosen, address_origins.from);
        add_each(known.chosen, address_origins.chosen);
      }
    }
}

} // namespace heddle::program
