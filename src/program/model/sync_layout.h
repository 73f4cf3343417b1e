// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Which bytes of a lock, semaphore or barrier hold its state. All zero is "free", so C's static
// initialisers and memset work. Words are 4 bytes, little-endian; a thread is written as its index
// plus one.
#pragma once

#include "ir/ir.h"
#include "ir/sync_facts.h"
#include "program/model/address_space.h"

#include <cstdint>

namespace heddle::program::sync_layout {

/// What the first word of a lock holds once the lock was destroyed: using it is undefined then. No
/// thread, count or state is this number. (A barrier has the threshold 0 instead, which
/// initialising it for so many threads gives it.)
inline constexpr std::uint32_t kGone = 0xdead10c5;
/// The same of a lock that is one word of 8 bytes under models with axioms.
inline constexpr std::uint64_t kGoneWide = std::uint64_t{kGone} << 32U | kGone;

// Mutex (and spin lock: owner only).
inline constexpr std::uint64_t kMutexOwner = 0;
inline constexpr std::uint64_t kMutexDepth = 4;
/// Where glibc keeps the kind, so that its static initialisers for recursive mutexes mean what they
/// say.
[[nodiscard]] constexpr std::uint64_t mutex_kind(ir::DataModel model) {
  return model == ir::DataModel::kILP32 ? 12 : 16;
}
inline constexpr std::uint32_t kMutexNormal = 0;
inline constexpr std::uint32_t kMutexRecursive = 1;
inline constexpr std::uint32_t kMutexErrorCheck = 2;

// Read-write lock: the writer; a bit per thread that reads (a thread that reads twice counts in
// kReadersExtra).
inline constexpr std::uint64_t kReadWriteWriter = 0;
inline constexpr std::uint64_t kReadWriteReaders = 4;
inline constexpr std::uint64_t kReadWriteReadersExtra = 8;
// Under models with axioms what an operation looks at is one word, which is read and written as one
// access (event_sync_words.cpp): 8 bytes with a bit per thread that reads, then the writer, then
// how often a writer has given the lock back. Such writers also tell that number in a word of its
// own, from which readers acquire.
inline constexpr unsigned kReadWriteWriterBit = 32;
inline constexpr unsigned kReadWriteTurnBit = 40;
inline constexpr std::uint64_t kReadWriteTold = 8;

inline constexpr std::uint64_t kSemaphoreCount = 0;

inline constexpr std::uint64_t kBarrierThreshold = 0;
inline constexpr std::uint64_t kBarrierArrived = 4;
inline constexpr std::uint64_t kBarrierGeneration = 8;
// Under models with axioms 8 bytes: the threshold, then how many have arrived, then the generation.
inline constexpr unsigned kBarrierArrivedBit = 32;
inline constexpr unsigned kBarrierGenerationBit = 48;

// pthread_once_t: 0 not run, 1 running, 2 done.
inline constexpr std::uint64_t kOnceState = 0;

/// The bytes an operation on such an object reads and writes, and so how large the object has to
/// be; a condition has no state, only a place.
[[nodiscard]] constexpr std::uint64_t size_of(ir::SyncObject object, ir::DataModel model) {
  switch (object) {
  case ir::SyncObject::kThread:
    return 0;
  case ir::SyncObject::kMutex:
    return mutex_kind(model) + 4;
  case ir::SyncObject::kReadWriteLock:
    return kReadWriteReadersExtra + kMaxThreads / 2;
  case ir::SyncObject::kBarrier:
    return kBarrierGeneration + 4;
  case ir::SyncObject::kSpinLock:
  case ir::SyncObject::kCondition:
  case ir::SyncObject::kSemaphore:
  case ir::SyncObject::kOnce:
    return 4;
  }
  return 0;
}

// POSIX error numbers that synchronisation returns (Linux).
inline constexpr std::uint64_t kErrorPerm = 1;
inline constexpr std::uint64_t kErrorAgain = 11;
inline constexpr std::uint64_t kErrorBusy = 16;
inline constexpr std::uint64_t kErrorInvalid = 22;
inline constexpr std::uint64_t kErrorDeadlock = 35;
inline constexpr std::uint64_t kErrorTimedOut = 110;

} // namespace heddle::program::sync_layout
