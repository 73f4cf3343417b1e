// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "encode/places.h"

#include <algorithm>

namespace heddle::encode {

namespace {

/// A read that may go to more places than this is not followed.
constexpr std::uint64_t kMostPlaces = 1U << 16U;

} // namespace

Places::Places(program::EventSet& set) : set_(set) {
  find_regions();
  touched_.reserve(set_.events.size());
  for (EventIndex event = 0; event < set_.events.size(); ++event)
    touched_.push_back(set_.events[event].address.is_valid() ? regions_of(event)
                                                             : relation::BitSet(regions_.size()));
}

void Places::find_regions() {
  using ObjectKind = program::Object::Kind;
  const program::Program& program = *set_.program;
  const program::AddressSpace space = program.space();
  for (std::size_t i = 0; i < program.objects.size(); ++i) {
    const program::ObjectId id{i};
    const program::Object& object = program.objects[id];
    if (object.kind == ObjectKind::kGlobal)
      regions_.push_back({space.base_of(object.unit), object.size, id});
    else if (object.kind == ObjectKind::kThreadLocal)
      for (std::size_t thread = 0; thread < set_.threads.size(); ++thread)
        regions_.push_back(
            {space.base_of(object.unit + thread * space.units_for(object.size)), object.size, id});
  }
  for (const program::EventSet::Block& block : set_.blocks)
    regions_.push_back({block.address, block.size, block.site});
  std::sort(regions_.begin(), regions_.end(), [](const Region& a, const Region& b) {
    return a.base < b.base;
  });
}

relation::BitSet Places::regions_of(EventIndex event) const {
  const program::StaticEvent& what = set_.events[event];
  relation::BitSet result(regions_.size());
  if (is_constant(event)) {
    const std::uint64_t address = set_.terms.node(what.address).value;
    const auto after = std::upper_bound(
        regions_.begin(), regions_.end(), address, [](std::uint64_t at, const Region& region) {
          return at < region.base;
        });
    if (after != regions_.begin() && address - std::prev(after)->base < std::prev(after)->size)
      result.insert(static_cast<std::size_t>(after - regions_.begin()) - 1);
    return result;
  }
  for (std::size_t i = 0; i < regions_.size(); ++i) {
    if (!what.may.is_valid()) {
      result.insert(i);
      continue;
    }
    const std::vector<program::ObjectId>& may = set_.program->object_sets[what.may];
    if (std::binary_search(may.begin(), may.end(), regions_[i].object))
      result.insert(i);
  }
  return result;
}

bool Places::may_meet(EventIndex a, EventIndex b) const {
  // Each byte of an object is in pieces of one size only.
  if (set_.events[a].size != set_.events[b].size)
    return false;
  if (is_constant(a) && is_constant(b))
    return set_.events[a].address == set_.events[b].address;
  return touched_[a].intersects(touched_[b]);
}

Term Places::same(EventIndex a, EventIndex b) {
  return set_.terms.equal(set_.events[a].address, set_.events[b].address);
}

Term Places::is_in_block(EventIndex access, EventIndex free) {
  logic::TermStore& terms = set_.terms;
  const Term at = set_.events[access].address;
  const Term freed = set_.events[free].address;
  const unsigned width = terms.sort(at).width;
  Term result = terms.boolean(false);
  for (const std::size_t i : (touched_[access] & touched_[free]).elements()) {
    const Term base = terms.constant(regions_[i].base, width);
    const Term offset = terms.binary(logic::Op::kSub, at, base);
    const Term is_inside =
        terms.binary(logic::Op::kULt, offset, terms.constant(regions_[i].size, width));
    result = terms.or_(result, terms.and_(terms.equal(freed, base), is_inside));
  }
  return result;
}

Term Places::is_valid(EventIndex access) {
  logic::TermStore& terms = set_.terms;
  const program::StaticEvent& event = set_.events[access];
  // Hidden locations are in no object.
  if (is_constant(access) &&
      program::initial_bytes(set_, terms.node(event.address).value, event.size))
    return terms.boolean(true);
  const unsigned width = terms.sort(event.address).width;
  Term result = terms.boolean(false);
  for (const std::size_t i : touched_[access].elements()) {
    const std::uint64_t size = regions_[i].size;
    if (size < event.size)
      continue;
    const Term offset =
        terms.binary(logic::Op::kSub, event.address, terms.constant(regions_[i].base, width));
    const Term is_inside =
        terms.binary(logic::Op::kULt, offset, terms.constant(size - event.size + 1U, width));
    const Term rest = terms.binary(logic::Op::kURem, offset, terms.constant(event.size, width));
    result = terms.or_(result, terms.and_(is_inside, terms.equal(rest, terms.constant(0, width))));
  }
  return result;
}

std::optional<std::uint64_t> Places::piece_at(EventIndex access, std::uint64_t byte) const {
  const program::StaticEvent& event = set_.events[access];
  if (is_constant(access)) {
    const std::uint64_t address = set_.terms.node(event.address).value;
    return byte >= address && byte - address < event.size ? std::optional(address) : std::nullopt;
  }
  for (const std::size_t i : touched_[access].elements())
    if (byte >= regions_[i].base && byte - regions_[i].base < regions_[i].size)
      return byte - (byte - regions_[i].base) % event.size;
  return std::nullopt;
}

/// Byte by byte where it is arbitrary, so that accesses of different sizes find the same.
Term Places::initial_at(std::uint64_t address, std::uint8_t size) {
  logic::TermStore& terms = set_.terms;
  if (const std::optional<std::uint64_t> bytes = program::initial_bytes(set_, address, size))
    return terms.constant(*bytes, 8U * size);
  Term result;
  for (std::uint8_t i = 0; i < size; ++i) {
    Term byte;
    if (const std::optional<std::uint64_t> known = program::initial_bytes(set_, address + i, 1)) {
      byte = terms.constant(*known, 8);
    } else {
      const auto [entry, is_new] = unknown_.try_emplace(address + i);
      if (is_new)
        entry->second = terms.variable(kFirstInitialVariable + unknown_.size() - 1, logic::Sort{8});
      byte = entry->second;
    }
    result = i == 0 ? byte : terms.concat(byte, result);
  }
  return result;
}

std::optional<Term> Places::initial_value(EventIndex read) {
  const program::StaticEvent& event = set_.events[read];
  logic::TermStore& terms = set_.terms;
  if (is_constant(read))
    return initial_at(terms.node(event.address).value, event.size);
  // Most places hold the same (zero, mostly): only the others are told apart.
  std::map<Term, std::vector<std::uint64_t>> places;
  std::uint64_t count = 0;
  for (const std::size_t region : touched_[read].elements()) {
    count += regions_[region].size;
    if (count > kMostPlaces)
      return std::nullopt;
    for (std::uint64_t offset = 0; offset + event.size <= regions_[region].size; ++offset)
      places[initial_at(regions_[region].base + offset, event.size)].push_back(
          regions_[region].base + offset);
  }
  if (places.empty())
    return terms.constant(0, 8U * event.size);
  const auto most =
      std::max_element(places.begin(), places.end(), [](const auto& a, const auto& b) {
        return a.second.size() < b.second.size();
      });
  Term result = most->first;
  const unsigned width = terms.sort(event.address).width;
  for (const auto& [value, addresses] : places)
    if (value != most->first)
      for (const std::uint64_t address : addresses)
        result =
            terms.ite(terms.equal(event.address, terms.constant(address, width)), value, result);
  return result;
}

Term Places::is_arbitrary_at_first(EventIndex read, unsigned byte) {
  const program::StaticEvent& event = set_.events[read];
  logic::TermStore& terms = set_.terms;
  if (is_constant(read))
    return terms.boolean(
        !program::initial_bytes(set_, terms.node(event.address).value + byte, 1).has_value());
  // An object is so as a whole.
  const unsigned width = terms.sort(event.address).width;
  Term result = terms.boolean(false);
  for (const std::size_t i : touched_[read].elements()) {
    if (regions_[i].size == 0 || program::initial_bytes(set_, regions_[i].base, 1))
      continue;
    const Term offset =
        terms.binary(logic::Op::kSub, event.address, terms.constant(regions_[i].base, width));
    result = terms.or_(
        result, terms.binary(logic::Op::kULt, offset, terms.constant(regions_[i].size, width)));
  }
  return result;
}

} // namespace heddle::encode
