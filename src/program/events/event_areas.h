// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Where the own memory of the threads of an event set lies. Such threads are numbered in the order
// in which they are found, and a number never serves again, while a run has room for kMaxThreads
// threads at a time (address_space.h). So a thread shares its area with those whose numbers are
// equal modulo kMaxThreads. Its blocks lie behind theirs. A thread-local variable lies where theirs
// do: that is told apart only as long as no other thread can reach it.
#pragma once

#include "program/events/event_pieces.h"
#include "program/model/address_space.h"
#include "program/model/program.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>

namespace heddle::program {

/// The hidden locations of so many threads fit into one unit (hidden_address).
inline constexpr std::uint32_t kMostEventThreads = 2048;
/// The words of a read-write lock have a bit for each of the first threads; the others do not read.
inline constexpr std::uint32_t kMostReadingThreads = 32;
[[nodiscard]] std::string bound_of_reading_threads();
/// `kept`: how many threads it has created for sure on the way, and neither joined nor detached.
/// The bound that one more would break, if it would: a run has no room for it.
[[nodiscard]] std::optional<std::string> bound_of_kept_threads(std::uint32_t kept);
/// The bound that so many threads would break, if they would.
[[nodiscard]] std::optional<std::string>
broken_bound(const Program& program, const AccessPieces& pieces, std::size_t threads);

/// Whose area the thread has.
[[nodiscard]] constexpr std::uint32_t area_of(std::uint32_t thread) {
  return thread % kMaxThreads;
}

/// "blocks per thread", or who has to share them.
[[nodiscard]] std::string bound_of_area(const char* things, std::uint32_t thread);

/// The units of a thread's area for frames, or for the heap.
struct Units {
  std::uint64_t first = 0;
  std::uint64_t count = 0;
};
[[nodiscard]] constexpr Units units_of_area(std::uint32_t thread, bool is_heap) {
  const std::uint64_t area = area_of(thread);
  if (!is_heap)
    return {AddressSpace::kFirstFrameUnit + area * AddressSpace::kFrameUnitsPerThread,
            AddressSpace::kFrameUnitsPerThread};
  // The last unit has the hidden locations.
  return {AddressSpace::kFirstHeapUnit + area * AddressSpace::kHeapUnitsPerThread,
          AddressSpace::kHeapUnitsPerThread - (area == kMaxThreads - 1 ? 1 : 0)};
}

/// Units that are no longer free, for each area.
struct UsedUnits {
  std::array<std::uint64_t, kMaxThreads> of_frames = {};
  std::array<std::uint64_t, kMaxThreads> of_heap = {};
};

} // namespace heddle::program
