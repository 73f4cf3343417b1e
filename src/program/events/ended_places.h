// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// The events of a program in which a free is a store: besides what it is anyway (kFree), it writes
// to places of the block that it ends, plainly and through the pointer it is given. For models that
// say in which order stores reach memory, but not what happens before what.
#pragma once

#include "program/events/event_set.h"

#include <compare>
#include <cstdint>
#include <vector>

namespace heddle::program {

/// A place in a block, and how many bytes accesses to it have.
struct EndedPlace {
  std::uint64_t block = 0; // where the block begins
  std::uint64_t address = 0;
  std::uint8_t size = 0;
  auto operator<=>(const EndedPlace&) const = default;
};

struct EndedEvents {
  EventSet set;
  std::vector<EventIndex> stores; // the writes that are frees
};

/// As make_events, with keeps_frees. Blocks lie where they do without stores.
[[nodiscard]] Result<EndedEvents> make_ended_events(const Program& program,
                                                    const EventSetOptions& options,
                                                    const std::vector<EndedPlace>& places);

} // namespace heddle::program
