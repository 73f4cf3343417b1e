// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// For the reference: a thread as a list of single effects and jumps, with the fences that the
// lowering for a machine asks for.
#pragma once

#include "heddle_fuzz/program.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace heddle::fuzz {

/// A thread's program with nesting and loops flattened into jumps, one memory or synchronisation
/// effect per operation.
struct Micro {
  enum class Do : std::uint8_t {
    kLoad,
    kStore,
    kLoadVia,
    kStoreVia,
    kPointerLoad,
    kPointerStore,
    kModify,
    kCompareExchange,
    kFullFence,
    kStoreStoreFence,
    kSignal,
    kBroadcast,
    kSleep, // on the condition, until woken or a spurious wake-up
    kAssign,
    kChoose,
    kJumpUnless,
    kJump,
    kLock,
    kTryLock,
    kUnlock,
    kSpinLock,
    kSpinUnlock,
    kReadLock,
    kReadUnlock,
    kWriteLock,
    kWriteUnlock,
    kSemaphorePost,
    kSemaphoreWait,
    kBarrierArrive,
    kBarrierLeave,
    kAtomicBegin,
    kAtomicEnd,
    kAssume,
    kAssert,
    kPublish,
    kNode,   // what a statement of programs with nodes does; kinds that update drain
    kReturn, // ends the frame
    kEnd,
  };
  Do what = Do::kEnd;
  const Statement* statement = nullptr;
  std::size_t target = 0;
};

/// Points into `statements`.
[[nodiscard]] std::vector<Micro>
flatten(const std::vector<Statement>& statements, Model model, bool has_nodes);

} // namespace heddle::fuzz
