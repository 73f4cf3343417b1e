// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "program/events/event_regions.h"

#include <algorithm>

namespace heddle::program {

EventRegions::EventRegions(const EventSet& set) : set_(set) {
  find_regions();
  touched_.reserve(set_.events.size());
  for (EventIndex event = 0; event < set_.events.size(); ++event)
    touched_.push_back(set_.events[event].address.is_valid() ? regions_of(event)
                                                             : relation::BitSet(regions_.size()));
}

void EventRegions::find_regions() {
  using ObjectKind = Object::Kind;
  const Program& program = *set_.program;
  const AddressSpace space = program.space();
  for (std::size_t i = 0; i < program.objects.size(); ++i) {
    const ObjectId id{i};
    const Object& object = program.objects[id];
    if (object.kind == ObjectKind::kGlobal)
      regions_.push_back({space.base_of(object.unit), object.size, id});
    else if (object.kind == ObjectKind::kThreadLocal)
      for (std::size_t area = 0; area < std::min<std::size_t>(set_.threads.size(), kMaxThreads);
           ++area)
        regions_.push_back(
            {space.base_of(object.unit + area * space.units_for(object.size)), object.size, id});
  }
  for (const EventSet::Block& block : set_.blocks)
    regions_.push_back({block.address, block.size, block.site});
  std::sort(regions_.begin(), regions_.end(), [](const Region& a, const Region& b) {
    return a.base < b.base;
  });
}

relation::BitSet EventRegions::regions_of(EventIndex event) const {
  const StaticEvent& what = set_.events[event];
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
    const std::vector<ObjectId>& may = set_.program->object_sets[what.may];
    if (std::binary_search(may.begin(), may.end(), regions_[i].object))
      result.insert(i);
  }
  return result;
}

bool EventRegions::may_meet(EventIndex a, EventIndex b) const {
  // Each byte of an object is in pieces of one size only.
  if (set_.events[a].size != set_.events[b].size)
    return false;
  if (is_constant(a) && is_constant(b))
    return set_.events[a].address == set_.events[b].address;
  return touched_[a].intersects(touched_[b]);
}

std::optional<std::uint64_t> EventRegions::piece_at(EventIndex access, std::uint64_t byte) const {
  const StaticEvent& event = set_.events[access];
  if (is_constant(access)) {
    const std::uint64_t address = set_.terms.node(event.address).value;
    return byte >= address && byte - address < event.size ? std::optional(address) : std::nullopt;
  }
  for (const std::size_t i : touched_[access].elements())
    if (byte >= regions_[i].base && byte - regions_[i].base < regions_[i].size)
      return byte - (byte - regions_[i].base) % event.size;
  return std::nullopt;
}

std::optional<std::vector<std::uint64_t>> EventRegions::pieces(EventIndex access,
                                                               std::size_t most) const {
  const StaticEvent& event = set_.events[access];
  std::vector<std::uint64_t> result;
  for (const std::size_t i : touched_[access].elements()) {
    if (regions_[i].size / event.size > most - result.size())
      return std::nullopt;
    for (std::uint64_t offset = 0; offset + event.size <= regions_[i].size; offset += event.size)
      result.push_back(regions_[i].base + offset);
  }
  return result;
}

} // namespace heddle::program
