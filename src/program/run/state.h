// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// The concrete state of a running program but for store buffers: memory and threads, each one flat
// sequence of words so that copying, hashing, comparing and storing it is one operation. Only
// interpreter code knows the layout; others use the accessors. Canonical: equal words if and only
// if equal states.
#pragma once

#include "program/model/program.h"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace heddle::program {

using ThreadIndex = std::uint32_t;

/// All bytes that are not constant: first the globals (fixed places), then the live and freed
/// blocks of frames, heap and thread-locals, sorted by unit. Bytes never written carry a mark, so
/// that reading one is an arbitrary value, kept.
class MemoryState {
public:
  std::vector<std::uint64_t> words;
  bool operator==(const MemoryState&) const = default;
};

enum class ThreadStatus : std::uint8_t {
  kRunning,
  kWaitingOnCondition, // released the mutex; a signal or a spurious wake-up makes it kReacquiring
  kReacquiring,        // woken; takes the mutex when it is free
  kWaitingAtBarrier,
  kEnded,  // with an exit value, until joined
  kJoined, // ended, and its value was taken (or it was detached): nothing refers to it any more
};

/// Status, what it waits for, and the frames with program counters and locals; dead locals are
/// zero.
class ThreadState {
public:
  std::vector<std::uint64_t> words;
  bool operator==(const ThreadState&) const = default;

  [[nodiscard]] ThreadStatus status() const;
  [[nodiscard]] bool is_live() const {
    return status() != ThreadStatus::kEnded && status() != ThreadStatus::kJoined;
  }
  [[nodiscard]] bool is_detached() const;
  [[nodiscard]] unsigned frame_count() const;
  struct Frame {
    ProcedureId procedure;
    LocationId location;
  };
  /// All of them, the innermost first: by their numbers each is looked for from the innermost.
  [[nodiscard]] std::vector<Frame> frames() const;
  /// Frame 0 is the innermost.
  [[nodiscard]] ProcedureId procedure(unsigned frame) const;
  [[nodiscard]] LocationId location(unsigned frame) const;
  [[nodiscard]] std::uint64_t local(unsigned frame, LocalId local) const;
};

struct State {
  MemoryState memory;
  std::vector<ThreadState> threads;
  std::int32_t atomic_owner = -1; // the thread whose atomic section is open
  bool has_ended = false;         // exit, abort or return from main
  bool operator==(const State&) const = default;
};

} // namespace heddle::program
