// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Where the memory events of a set may go, as far as constant addresses and points-to sets tell:
// regions are the objects of the program and the blocks it allocates. Two events meet if they can
// be to one place; pieces are cut so that they are then to the same bytes. No terms are made here
// (encode/places.h has those).
#pragma once

#include "program/events/event_set.h"
#include "relation/bit_set.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace heddle::program {

class EventRegions {
public:
  struct Region {
    std::uint64_t base = 0;
    std::uint64_t size = 0;
    ObjectId object;
  };

  /// The set must outlive it.
  explicit EventRegions(const EventSet& set);

  [[nodiscard]] const Region& region(std::size_t index) const { return regions_[index]; }
  /// Regions the event may go to; empty for what is no access.
  [[nodiscard]] const relation::BitSet& touched(EventIndex event) const { return touched_[event]; }
  [[nodiscard]] bool is_constant(EventIndex event) const {
    return set_.terms.is_constant(set_.events[event].address);
  }
  [[nodiscard]] bool may_meet(EventIndex a, EventIndex b) const;
  /// Where the piece begins that the byte is in, if the access may be to it.
  [[nodiscard]] std::optional<std::uint64_t> piece_at(EventIndex access, std::uint64_t byte) const;
  /// All pieces an access may be to, in order of address; nothing if there are more than that.
  [[nodiscard]] std::optional<std::vector<std::uint64_t>> pieces(EventIndex access,
                                                                 std::size_t most) const;

private:
  void find_regions();
  [[nodiscard]] relation::BitSet regions_of(EventIndex event) const;

  const EventSet& set_;
  std::vector<Region> regions_;           // sorted by base
  std::vector<relation::BitSet> touched_; // by event
};

} // namespace heddle::program
