// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// What is known of a synchronisation operation without its meaning: which object it is about, what
// it does with it, and whether it insists. All classifications of operations that more than one
// place needs are here, and each is said by these three facts, so that a new operation is a row of
// sync_ops.def. What an operation reads, writes and answers is the interpreter's affair.
#pragma once

#include "ir/sync_op.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace heddle::ir {

enum class SyncObject : std::uint8_t {
  kThread, // all others lie in memory
  kMutex,
  kSpinLock,
  kReadWriteLock,
  kCondition,
  kSemaphore,
  kBarrier,
  kOnce,
};

enum class SyncRole : std::uint8_t {
  kCreate,
  kJoin,
  kDetach,
  kSelf,
  kInitialise,
  kDestroy,
  kTake,       // a lock for oneself, or one of a semaphore
  kTakeShared, // a lock beside others who only read
  kGive,       // a lock back
  kWait,       // for a signal; gives a mutex back meanwhile
  kSignal,
  kBroadcast,
  kPost,   // one to a semaphore, whoever has taken it
  kLook,   // at a value
  kArrive, // and go on when all have
  kEnter,  // what is run once
  kLeave,
};

/// Of an operation that may have to wait.
enum class SyncAttempt : std::uint8_t {
  kPlain, // waits until it is done; also all that never wait
  kTries, // does not wait
  kTimed, // waits, but may give up at any moment
};

struct SyncFacts {
  std::string_view word; // in the text form
  std::string_view said; // by reports, beside the object's name
  SyncObject object = SyncObject::kThread;
  SyncRole role = SyncRole::kSelf;
  SyncAttempt attempt = SyncAttempt::kPlain;
  std::uint8_t operands = 0;
  std::uint8_t addresses = 0; // so many operands, from the first on, are pointers
};

inline constexpr std::array<SyncFacts, kSyncOps> kSyncFacts = {{
#define HEDDLE_SYNC_OP(enumerator, word, said, object, role, attempt, operands, addresses)         \
  {word,                                                                                           \
   said,                                                                                           \
   SyncObject::k##object,                                                                          \
   SyncRole::k##role,                                                                              \
   SyncAttempt::k##attempt,                                                                        \
   operands,                                                                                       \
   addresses},
#include "ir/sync_ops.def"
}};

[[nodiscard]] constexpr const SyncFacts& facts_of(SyncOp op) {
  return kSyncFacts[static_cast<std::size_t>(op)];
}

/// Object, role and attempt tell every operation from all others.
static_assert(std::ranges::all_of(kSyncFacts, [](const SyncFacts& one) {
  return std::ranges::count_if(kSyncFacts, [&](const SyncFacts& other) {
           return other.object == one.object && other.role == one.role &&
                  other.attempt == one.attempt;
         }) == 1;
}));
static_assert(std::ranges::all_of(kSyncFacts, [](const SyncFacts& one) {
  return one.addresses <= one.operands;
}));

/// One thread at a time has it. A spin lock is a mutex without a kind.
[[nodiscard]] constexpr bool is_exclusive_lock(SyncObject object) {
  return object == SyncObject::kMutex || object == SyncObject::kSpinLock;
}
/// Threads have it until they give it back.
[[nodiscard]] constexpr bool is_lock(SyncObject object) {
  return is_exclusive_lock(object) || object == SyncObject::kReadWriteLock;
}

/// About a thread, which is no object in memory.
[[nodiscard]] constexpr bool is_thread_operation(SyncOp op) {
  return facts_of(op).object == SyncObject::kThread;
}
[[nodiscard]] constexpr bool is_initialisation(SyncOp op) {
  return facts_of(op).role == SyncRole::kInitialise;
}
/// Of a condition; not of a semaphore or at a barrier.
[[nodiscard]] constexpr bool is_condition_wait(SyncOp op) {
  return facts_of(op).role == SyncRole::kWait;
}
[[nodiscard]] constexpr bool is_timed(SyncOp op) {
  return facts_of(op).attempt == SyncAttempt::kTimed;
}
/// Takes a lock or one of a semaphore.
[[nodiscard]] constexpr bool takes(SyncOp op) {
  return facts_of(op).role == SyncRole::kTake || facts_of(op).role == SyncRole::kTakeShared;
}
/// Takes something if it is there and otherwise says so (at once, or at last): then it has only
/// looked. The result is 0 where it was taken.
[[nodiscard]] constexpr bool is_attempt(SyncOp op) {
  return takes(op) && facts_of(op).attempt != SyncAttempt::kPlain;
}
/// A wait on a condition takes and gives, too, but its operand is not the lock.
[[nodiscard]] constexpr bool takes_exclusive_lock(SyncOp op) {
  return facts_of(op).role == SyncRole::kTake && is_exclusive_lock(facts_of(op).object);
}
[[nodiscard]] constexpr bool gives_exclusive_lock(SyncOp op) {
  return facts_of(op).role == SyncRole::kGive && is_exclusive_lock(facts_of(op).object);
}
/// Does one thing, and another in a later step, when others have done theirs.
[[nodiscard]] constexpr bool has_two_steps(SyncOp op) {
  return is_condition_wait(op) || facts_of(op).role == SyncRole::kArrive;
}

/// What went before is handed to whoever acquires from the same object (a wait: from its mutex).
[[nodiscard]] constexpr bool releases(SyncOp op) {
  const SyncRole role = facts_of(op).role;
  return role == SyncRole::kGive || role == SyncRole::kWait || role == SyncRole::kPost ||
         role == SyncRole::kArrive || role == SyncRole::kLeave;
}
/// … if it gets what it asks for.
[[nodiscard]] constexpr bool acquires(SyncOp op) {
  const SyncRole role = facts_of(op).role;
  return takes(op) || role == SyncRole::kWait || role == SyncRole::kArrive ||
         role == SyncRole::kEnter;
}

inline constexpr std::array<SyncObject, 2> kConditionAndMutex = {SyncObject::kCondition,
                                                                 SyncObject::kMutex};

/// The objects in memory whose addresses the operation takes, in the order of its operands: one,
/// but none for threads, and two where a condition comes with its mutex.
[[nodiscard]] constexpr std::span<const SyncObject> objects_of(SyncOp op) {
  if (is_thread_operation(op))
    return {};
  if (is_condition_wait(op))
    return kConditionAndMutex;
  return {&facts_of(op).object, 1};
}

} // namespace heddle::ir
