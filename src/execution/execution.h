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
  enum class Kind : std::uint8_t {
    kInitialWrite,
    kRead,
    kWrite,
    kFence,
    kBranch,
    // Only where a model computes dependencies from what registers carry
    kRegisterRead,
    kRegisterWrite,
  };
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
  /// Events of one thread that belong to one instruction have one number.
  std::uint32_t instruction = 0;
  /// Events of one instruction that are pieces of one access have one number.
  std::uint32_t access = 0;
  std::string register_name = {}; // register events
  bool feeds_address = false;     // register reads: an operand of the instruction's address
  bool feeds_data = false;        // register reads: an operand of what it stores
};

[[nodiscard]] inline bool is_write(const Event& event) {
  return event.kind == Event::Kind::kWrite || event.kind == Event::Kind::kInitialWrite;
}

/// All relations are over the indices of `events`. rmw pairs the read and the write of one
/// read-modify-write.
struct Execution {
  std::vector<Event> events;
  relation::BitMatrix po;
  relation::BitMatrix rf;
  relation::BitMatrix co;
  relation::BitMatrix rmw;
  relation::BitMatrix synchronises; // create/join, locks and their kin
  // Dependencies through registers: from reads to the accesses whose address, stored value or
  // execution depends on them.
  relation::BitMatrix addr;
  relation::BitMatrix data;
  relation::BitMatrix ctrl;
  // Inside one instruction, with register events: what its effects are computed from.
  relation::BitMatrix intra_data;
  relation::BitMatrix intra_control;
  /// By thread, the values that were chosen for it, in the order in which it asks for them:
  /// nondeterministic ones, and what it reads in memory of its own that nobody has written (other
  /// bytes of such a read do not matter). May be shorter than the list of threads.
  std::vector<std::vector<std::uint64_t>> choices = {};
};

/// The execution a replayed run performed. Reads of several writes (mixed sizes) have several rf
/// sources.
[[nodiscard]] Execution from_run(const Run& run);

} // namespace heddle::execution
