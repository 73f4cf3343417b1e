// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "engine/explicit/actions.h"

#include "program/model/sync_kinds.h"

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
  const ir::SyncObject object = facts_of(synchronize->op).object;
  return is_lock(object) || object == ir::SyncObject::kSemaphore || object == ir::SyncObject::kOnce;
}

LockKind lock_kind(SyncOp op) {
  const ir::SyncObject object = facts_of(op).object;
  if (is_condition_wait(op))
    return LockKind::kConditionMutex;
  if (object == ir::SyncObject::kReadWriteLock)
    return LockKind::kReadWrite;
  return is_exclusive_lock(object) ? LockKind::kMutex : LockKind::kNone;
}

} // namespace heddle::engine
