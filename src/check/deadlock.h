// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Deadlock, decided here anew: the greatest set S of live threads that are blocked with nothing
// pending in their buffers and whose every possible releaser is in S or has ended. The machine's
// own answer must be the same.
#pragma once

#include "check/replayer.h"

#include <cstdint>
#include <vector>

namespace heddle::check {

struct Stuck {
  std::uint64_t threads = 0; // bit mask; 0: no deadlock
  bool is_partial = false;   // a live thread outside can go on
  struct Entry {
    program::ThreadIndex thread = 0;
    program::Wait wait;
    SourceLoc loc = {};
  };
  std::vector<Entry> waits = {};
};

[[nodiscard]] Stuck find_stuck(const Ground& ground, const memory::MachineState& state);

} // namespace heddle::check
