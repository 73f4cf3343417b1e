// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// One concrete run: the schedule (which thread moved, which store was flushed, which choice was
// taken) and, once it has been replayed, what each step did. The schedule alone determines the run;
// everything else is there for people.
#pragma once

#include "program/model/fault.h"
#include "program/model/program.h"
#include "program/run/state.h"

#include <cstdint>
#include <string>
#include <vector>

namespace heddle::execution {

using program::ThreadIndex;

/// One move of a machine. A step is one visible action followed by the thread's invisible ones.
struct Transition {
  enum class Kind : std::uint8_t { kStep, kFlush };
  Kind kind = Kind::kStep;
  ThreadIndex thread = 0;
  /// kStep: the value, block or thread chosen (Interpreter::choices). kFlush: which pending store,
  /// oldest = 0.
  std::uint64_t choice = 0;
  auto operator<=>(const Transition&) const = default;
};
using Schedule = std::vector<Transition>;

struct Frame {
  program::ProcedureId procedure;
  SourceLoc loc; // where it stands: the call, for all but the innermost
};

/// What one transition did.
struct Step {
  enum class What : std::uint8_t {
    kLocal,
    kNondet,
    kRead,
    kWrite,
    kReadModifyWrite,
    kFailedCompareExchange,
    kFence,
    kAllocate,
    kFree,
    kSynchronize,
    kAtomicBegin,
    kAtomicEnd,
    kWakeUp,
    kReacquire,
    kLeaveBarrier,
    kThreadExit,
    kExit,
    kFlush,
  };
  Transition transition;
  What what = What::kLocal;
  const program::Edge* edge = nullptr; // null where the machine moved by itself
  SourceLoc loc = {};
  std::vector<Frame> stack = {}; // innermost first
  std::uint64_t address = 0;
  std::uint8_t size = 0;
  std::uint64_t value_read = 0;
  std::uint64_t value_written = 0;
  bool is_atomic = false;
  /// kRead etc.: the step whose write was read (the write, not its flush), or none for the initial
  /// value. With several sources (mixed sizes) the newest.
  std::optional<std::uint32_t> reads_from = {};
  bool from_own_buffer = false;
  /// kFlush: the step that put the store into the buffer.
  std::optional<std::uint32_t> flushes = {};
  /// Values of C variables assigned by the invisible actions after the visible one: name, value,
  /// width.
  struct Assigned {
    std::string name;
    std::uint64_t value = 0;
    std::uint8_t width = 0;
    SourceLoc loc = {};
  };
  std::vector<Assigned> assigned = {};
  /// Pending stores of this thread after the step, oldest first: indices of steps.
  std::vector<std::uint32_t> buffer = {};
  std::optional<ThreadIndex> created = {}; // kSynchronize create
};

struct Run {
  std::vector<Step> steps;
  program::Fault fault; // how it ended; kNone: all threads ended or the run just stops here
  [[nodiscard]] Schedule schedule() const;
};

} // namespace heddle::execution
