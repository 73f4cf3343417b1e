// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// One execution in the axiomatic sense: events with program order, reads-from and coherence. Need
// not have a schedule.
#pragma once

#include "execution/run.h"
#include "relation/bit_matrix.h"

#include <cstdint>
#include <vector>

namespace heddle::execution {

using EventId = Id<struct EventTag>;

struct Event {
  enum class Kind : std::uint8_t { kInitialWrite, kRead, kWrite, kFence };
  Kind kind = Kind::kRead;
  ThreadIndex thread = 0; // not for initial writes
  std::uint64_t address = 0;
  std::uint8_t size = 0;
  std::uint64_t value = 0;
  bool is_atomic = false;
  ir::Order order = ir::Order::kNone;
  std::vector<std::string> tags = {};
  SourceLoc loc = {};
  std::uint32_t step = 0; // of the run it was made from, if any
};

/// All relations are over the indices of `events`. rmw pairs the read and the write of one
/// read-modify-write.
struct Execution {
  std::vector<Event> events;
  relation::BitMatrix po;
  relation::BitMatrix rf;
  relation::BitMatrix co;
  relation::BitMatrix rmw;
  relation::BitMatrix synchronises; // create/join, locks and their kin
};

/// The execution a replayed run performed. Reads of several writes (mixed sizes) have several rf
/// sources.
[[nodiscard]] Execution from_run(const Run& run);

} // namespace heddle::execution
