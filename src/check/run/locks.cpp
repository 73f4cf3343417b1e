// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "check/run/locks.h"

#include "program/model/sync_layout.h"
#include "support/check.h"

#include <algorithm>

namespace heddle::check {

namespace {

std::optional<LockTouched> lock_of(ir::SyncOp op, const program::Request& request) {
  using ir::SyncOp;
  switch (op) {
  case SyncOp::kMutexInit:
  case SyncOp::kMutexDestroy:
  case SyncOp::kMutexLock:
  case SyncOp::kMutexTryLock:
  case SyncOp::kMutexTimedLock:
  case SyncOp::kMutexUnlock:
    return LockTouched{request.address, LockKind::kMutex};
  case SyncOp::kSpinLock:
  case SyncOp::kSpinTryLock:
  case SyncOp::kSpinUnlock:
    return LockTouched{request.address, LockKind::kSpin};
  case SyncOp::kReadLock:
  case SyncOp::kTryReadLock:
  case SyncOp::kTimedReadLock:
  case SyncOp::kWriteLock:
  case SyncOp::kTryWriteLock:
  case SyncOp::kTimedWriteLock:
  case SyncOp::kReadWriteUnlock:
    return LockTouched{request.address, LockKind::kReadWrite};
  case SyncOp::kConditionWait:
  case SyncOp::kConditionTimedWait:
    return LockTouched{request.value, LockKind::kMutex};
  case SyncOp::kCreate:
  case SyncOp::kJoin:
  case SyncOp::kDetach:
  case SyncOp::kSelf:
  case SyncOp::kConditionSignal:
  case SyncOp::kConditionBroadcast:
  case SyncOp::kSemaphoreInit:
  case SyncOp::kSemaphoreWait:
  case SyncOp::kSemaphoreTryWait:
  case SyncOp::kSemaphoreTimedWait:
  case SyncOp::kSemaphorePost:
  case SyncOp::kSemaphoreValue:
  case SyncOp::kBarrierInit:
  case SyncOp::kBarrierWait:
  case SyncOp::kOnceEnter:
  case SyncOp::kOnceLeave:
    return std::nullopt;
  }
  HEDDLE_CHECK(false, "no such synchronisation");
  return std::nullopt;
}

} // namespace

std::optional<LockTouched> lock_of(const program::Request& request) {
  if (request.kind == program::Request::Kind::kReacquire)
    return LockTouched{request.address, LockKind::kMutex};
  if (request.kind != program::Request::Kind::kSynchronize || request.edge == nullptr)
    return std::nullopt;
  const auto* synchronize = std::get_if<program::Synchronize>(&request.edge->action);
  return synchronize == nullptr ? std::nullopt : lock_of(synchronize->op, request);
}

Hold hold_of(const program::Interpreter& interpreter,
             const program::MemoryState& memory,
             LockTouched lock,
             program::ThreadIndex thread) {
  namespace layout = program::sync_layout;
  const auto word = [&](std::uint64_t offset) {
    return interpreter.read(memory, lock.address + offset, 4);
  };
  switch (lock.kind) {
  case LockKind::kMutex:
  case LockKind::kSpin:
    return word(layout::kMutexOwner) == thread + 1ULL ? Hold::kWrite : Hold::kNone;
  case LockKind::kReadWrite:
    if (word(layout::kReadWriteWriter) == thread + 1ULL)
      return Hold::kWrite;
    return (word(layout::kReadWriteReaders) >> thread & 1U) != 0 ? Hold::kRead : Hold::kNone;
  }
  HEDDLE_CHECK(false, "no such lock");
  return Hold::kNone;
}

void HeldLocks::update(program::ThreadIndex thread, LockTouched lock, Hold now) {
  std::vector<HeldAddress>& own = held_[thread];
  const auto found = std::ranges::find_if(
      own, [&](const HeldAddress& held) { return held.address == lock.address; });
  if (now == Hold::kNone) {
    if (found != own.end())
      own.erase(found);
  } else if (found == own.end()) {
    own.push_back({lock.address, lock.kind, now});
  } else {
    found->hold = now;
  }
}

std::vector<HeldAddress> HeldLocks::of(program::ThreadIndex thread) const {
  const auto found = held_.find(thread);
  return found == held_.end() ? std::vector<HeldAddress>{} : found->second;
}

} // namespace heddle::check
