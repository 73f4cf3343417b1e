// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "encode/places.h"

#include <algorithm>

namespace heddle::encode {

namespace {

/// A read that may go to more places than this is not followed.
constexpr std::uint64_t kMostPlaces = 1U << 16U;

} // namespace

Term Places::same(EventIndex a, EventIndex b) {
  return set_.terms.equal(set_.events[a].address, set_.events[b].address);
}

Term Places::is_in_block(EventIndex access, EventIndex free) {
  logic::TermStore& terms = set_.terms;
  const Term at = set_.events[access].address;
  const Term freed = set_.events[free].address;
  const unsigned width = terms.sort(at).width;
  Term result = terms.boolean(false);
  for (const std::size_t i : (regions_.touched(access) & regions_.touched(free)).elements()) {
    const Term base = terms.constant(regions_.region(i).base, width);
    const Term offset = terms.binary(logic::Op::kSub, at, base);
    const Term is_inside =
        terms.binary(logic::Op::kULt, offset, terms.constant(regions_.region(i).size, width));
    result = terms.or_(result, terms.and_(terms.equal(freed, base), is_inside));
  }
  return result;
}

Term Places::is_valid(EventIndex access) {
  logic::TermStore& terms = set_.terms;
  const program::StaticEvent& event = set_.events[access];
  const auto length_of = [&](std::size_t i) {
    for (const program::EventSet::Block& block : set_.blocks)
      if (block.address == regions_.region(i).base && block.length.is_valid())
        return block.length;
    return Term{};
  };
  // Hidden locations are in no object.
  if (is_constant(access) &&
      std::ranges::none_of(regions_.touched(access).elements(),
                           [&](std::size_t i) { return length_of(i).is_valid(); }) &&
      program::initial_bytes(set_, terms.node(event.address).value, event.size))
    return terms.boolean(true);
  const unsigned width = terms.sort(event.address).width;
  Term result = terms.boolean(false);
  for (const std::size_t i : regions_.touched(access).elements()) {
    const std::uint64_t size = regions_.region(i).size;
    if (size < event.size)
      continue;
    const Term offset = terms.binary(
        logic::Op::kSub, event.address, terms.constant(regions_.region(i).base, width));
    const Term is_inside =
        terms.binary(logic::Op::kULt, offset, terms.constant(size - event.size + 1U, width));
    const Term rest = terms.binary(logic::Op::kURem, offset, terms.constant(event.size, width));
    Term holds = terms.and_(is_inside, terms.equal(rest, terms.constant(0, width)));
    if (const Term length = length_of(i); length.is_valid())
      holds = terms.and_(
          holds,
          terms.binary(logic::Op::kULe,
                       terms.binary(logic::Op::kAdd, offset, terms.constant(event.size, width)),
                       length));
    result = terms.or_(result, holds);
  }
  return result;
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
  struct Same {
    std::size_t count = 0;
    std::vector<const std::vector<std::uint64_t>*> addresses;
  };
  std::map<Term, Same> places;
  std::uint64_t count = 0;
  for (const std::size_t region : regions_.touched(read).elements()) {
    count += regions_.region(region).size;
    if (count > kMostPlaces)
      return std::nullopt;
    for (const auto& [value, addresses] : initial_values(region, event.size)) {
      places[value].count += addresses.size();
      places[value].addresses.push_back(&addresses);
    }
  }
  if (places.empty())
    return terms.constant(0, 8U * event.size);
  const auto most =
      std::max_element(places.begin(), places.end(), [](const auto& a, const auto& b) {
        return a.second.count < b.second.count;
      });
  Term result = most->first;
  const unsigned width = terms.sort(event.address).width;
  for (const auto& [value, same] : places) {
    if (value == most->first)
      continue;
    for (const std::vector<std::uint64_t>* addresses : same.addresses)
      for (const std::uint64_t address : *addresses)
        result =
            terms.ite(terms.equal(event.address, terms.constant(address, width)), value, result);
  }
  return result;
}

const std::map<Term, std::vector<std::uint64_t>>& Places::initial_values(std::size_t region,
                                                                         std::uint8_t size) {
  const auto [entry, is_new] = initial_.try_emplace({region, size});
  if (is_new) {
    const std::uint64_t base = regions_.region(region).base;
    for (std::uint64_t offset = 0; offset + size <= regions_.region(region).size; ++offset)
      entry->second[initial_at(base + offset, size)].push_back(base + offset);
  }
  return entry->second;
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
  for (const std::size_t i : regions_.touched(read).elements()) {
    if (regions_.region(i).size == 0 || program::initial_bytes(set_, regions_.region(i).base, 1))
      continue;
    const Term offset = terms.binary(
        logic::Op::kSub, event.address, terms.constant(regions_.region(i).base, width));
    result = terms.or_(
        result,
        terms.binary(logic::Op::kULt, offset, terms.constant(regions_.region(i).size, width)));
  }
  return result;
}

} // namespace heddle::encode
