// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// The events of a run that can still get an edge of po, rf, co or fr, and the paths between them.
// See robustness_monitor.h. Events are numbers that mean nothing from one step to the next; encode
// renames them canonically.
#pragma once

#include "program/run/state.h"

#include <cstdint>
#include <vector>

namespace heddle::engine {

class LiveEvents {
public:
  using Event = std::uint32_t;
  enum class Role : std::uint8_t {
    kLast,        // of thread a: its last event
    kWrite,       // the last write to memory at [a, a + b)
    kRead,        // a read by thread c of [a, a + b) in memory, since the last write there
    kSync,        // the last operation on the object at a
    kPending,     // the pending store at position b of thread a's buffer
    kPendingRead, // a read of [c, c + d) by thread a from the pending store at position b
  };
  struct Entry {
    Role role = Role::kLast;
    std::uint64_t a = 0;
    std::uint64_t b = 0;
    std::uint64_t c = 0;
    std::uint64_t d = 0;
    Event event = 0;
    auto operator<=>(const Entry&) const = default;
  };

  [[nodiscard]] static LiveEvents decode(const std::vector<std::uint64_t>& words);
  /// Drops events without a role; equal content gives equal words.
  [[nodiscard]] std::vector<std::uint64_t> encode();

  [[nodiscard]] Event add_event();
  /// Adds the edge and what it closes; true if it makes a cycle.
  bool add_edge(Event from, Event to);

  std::vector<Entry> entries;

private:
  [[nodiscard]] bool reaches(Event from, Event to) const { return reach_[from][to]; }

  std::vector<std::vector<bool>> reach_;
};

} // namespace heddle::engine
