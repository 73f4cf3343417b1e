// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Questions about single actions that several parts of the engine ask.
#pragma once

#include "program/model/action.h"

#include <cstdint>

namespace heddle::engine {

/// Do the two ranges of addresses have a byte in common?
[[nodiscard]] constexpr bool
overlap(std::uint64_t a, std::uint64_t a_size, std::uint64_t b, std::uint64_t b_size) {
  return a < b + b_size && b < a + a_size;
}

/// How a memory action or fence touches memory; null for all others.
[[nodiscard]] const program::Access* access_of(const program::Action& action);

/// A synchronisation whose effect is confined to the object's bytes and the calling thread: locks
/// of all kinds, semaphores, once.
[[nodiscard]] bool is_lock_like(const program::Action& action);

/// Which lock the operation may take or give back.
enum class LockKind : std::uint8_t {
  kNone,
  kMutex,          // operand 0; also spin locks
  kReadWrite,      // operand 0
  kConditionMutex, // operand 1
};
[[nodiscard]] LockKind lock_kind(program::SyncOp op);

} // namespace heddle::engine
