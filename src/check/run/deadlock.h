// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Deadlock, decided here anew: the greatest set S of live threads that are blocked with nothing
// pending in their buffers and whose every possible releaser is in S or has ended. The machine's
// own answer must be the same.
#pragma once

#include "check/run/replayer.h"

#include <cstdint>
#include <vector>

namespace heddle::check {

struct Stuck {
  std::uint64_t threads = 0; // bit mask; 0: no deadlock
  bool is_partial = false;   // a live thread outside can go on
  struct Found {
    std::uint64_t address = 0;
    std::uint64_t value = 0;
    std::uint8_t size = 0;
    bool operator==(const Found&) const = default;
  };
  struct Entry {
    program::ThreadIndex thread = 0;
    program::Wait wait;
    SourceLoc loc = {};
    bool is_turning = false;       // it goes around a loop instead
    std::vector<Found> found = {}; // what it reads there, each once
  };
  std::vector<Entry> waits = {};
};

[[nodiscard]] Stuck find_stuck(const Ground& ground, const memory::MachineState& state);
/// Liveness: every live thread is blocked or goes around a loop, and at least one does. Each turn
/// is taken again here, step by step: it must come back to the state, and change nothing on the
/// way.
[[nodiscard]] Stuck find_turning(const Ground& ground, const memory::MachineState& state);

} // namespace heddle::check
