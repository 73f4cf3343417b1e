// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// What slices (slices.h) need to know of a program before there is a formula: its places, which of
// them threads share, and whether it can be sliced at all.
#pragma once

#include "encode/order/skeleton.h"
#include "program/events/event_set.h"

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace heddle::encode {

using PlaceIndex = std::size_t;

/// Variables of the set's terms from here on stand for what is at the places.
inline constexpr std::uint64_t kFirstPlaceVariable = 1ULL << 44U;

struct SlicePlace {
  std::vector<EventIndex> reads;
  std::vector<EventIndex> writes;
  bool is_shared = false; // a thread may read what another has written
};

struct SlicedEvents {
  std::vector<SlicePlace> places;
  std::vector<PlaceIndex> place_of;            // by event
  std::vector<std::vector<EventIndex>> events; // by node: reads and writes
  std::vector<Node> writers;                   // nodes that write to shared places

  [[nodiscard]] bool is_shared(EventIndex event) const { return places[place_of[event]].is_shared; }
};

/// All addresses are constant.
[[nodiscard]] SlicedEvents make_sliced_events(const program::EventSet& set,
                                              const Skeleton& skeleton);

/// The event that read or chose what a variable of the set's terms stands for.
[[nodiscard]] std::optional<EventIndex> event_of(std::uint64_t variable);
/// The reads whose values are in the term.
[[nodiscard]] std::set<EventIndex> reads_in(const program::EventSet& set, Term term);

/// What keeps the events from being sliced; nothing if they can be.
[[nodiscard]] std::optional<std::string> why_not_sliced(const program::EventSet& set,
                                                        const Skeleton& skeleton);
/// Whether slices are likely to be the best encoding: the values that threads compute from what
/// they share go a long way. Makes terms in the set's store.
[[nodiscard]] bool is_made_for_slices(program::EventSet& set, const Skeleton& skeleton);

} // namespace heddle::encode
