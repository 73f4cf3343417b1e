// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "engine/explicit/actions.h"

#include <variant>

namespace heddle::engine {
using program::SyncOp;

const program::Access* access_of(const program::Action& action) {
  if (const auto* load = std::get_if<program::Load>(&action))
    return &load->access;
  if (const auto* store = std::get_if<program::Store>(&action))
    return &store->access;
  if (const auto* load_exclusive = std::get_if<program::LoadExclusive>(&action))
    return &load_exclusive->access;
  if (const auto* store_exclusive = std::get_if<program::StoreExclusive>(&action))
    return &store_exclusive->access;
  if (const auto* modify = std::get_if<program::ReadModifyWrite>(&action))
    return &modify->access;
  if (const auto* exchange = std::get_if<program::CompareExchange>(&action))
    return &exchange->access;
  if (const auto* fence = std::get_if<program::Fence>(&action))
    return &fence->access;
  return nullptr;
}

bool is_lock_like(const program::Action& action) {
  const auto* synchronize = std::get_if<program::Synchronize>(&action);
  if (synchronize == nullptr)
    return false;
  switch (synchronize->op) {
  case SyncOp::kMutexInit:
  case SyncOp::kMutexDestroy:
  case SyncOp::kMutexLock:
  case SyncOp::kMutexTryLock:
  case SyncOp::kMutexTimedLock:
  case SyncOp::kMutexUnlock:
  case SyncOp::kSpinLock:
  case SyncOp::kSpinTryLock:
  case SyncOp::kSpinUnlock:
  case SyncOp::kReadLock:
  case SyncOp::kTryReadLock:
  case SyncOp::kTimedReadLock:
  case SyncOp::kWriteLock:
  case SyncOp::kTryWriteLock:
  case SyncOp::kTimedWriteLock:
  case SyncOp::kReadWriteUnlock:
  case SyncOp::kSemaphoreInit:
  case SyncOp::kSemaphoreWait:
  case SyncOp::kSemaphoreTryWait:
  case SyncOp::kSemaphoreTimedWait:
  case SyncOp::kSemaphorePost:
  case SyncOp::kSemaphoreValue:
  case SyncOp::kOnceEnter:
  case SyncOp::kOnceLeave:
    return true;
  case SyncOp::kCreate:
  case SyncOp::kJoin:
  case SyncOp::kDetach:
  case SyncOp::kSelf:
  case SyncOp::kConditionWait:
  case SyncOp::kConditionTimedWait:
  case SyncOp::kConditionSignal:
  case SyncOp::kConditionBroadcast:
  case SyncOp::kBarrierInit:
  case SyncOp::kBarrierWait:
    return false;
  }
  return false;
}

LockKind lock_kind(SyncOp op) {
  switch (op) {
  case SyncOp::kMutexInit:
  case SyncOp::kMutexDestroy:
  case SyncOp::kMutexLock:
  case SyncOp::kMutexTryLock:
  case SyncOp::kMutexTimedLock:
  case SyncOp::kMutexUnlock:
  case SyncOp::kSpinLock:
  case SyncOp::kSpinTryLock:
  case SyncOp::kSpinUnlock:
    return LockKind::kMutex;
  case SyncOp::kReadLock:
  case SyncOp::kTryReadLock:
  case SyncOp::kTimedReadLock:
  case SyncOp::kWriteLock:
  case SyncOp::kTryWriteLock:
  case SyncOp::kTimedWriteLock:
  case SyncOp::kReadWriteUnlock:
    return LockKind::kReadWrite;
  case SyncOp::kConditionWait:
  case SyncOp::kConditionTimedWait:
    return LockKind::kConditionMutex;
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
    return LockKind::kNone;
  }
  return LockKind::kNone;
}

} // namespace heddle::engine
