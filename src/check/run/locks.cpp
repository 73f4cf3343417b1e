// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "check/run/locks.h"

#include "program/model/sync_kinds.h"
#include "program/model/sync_layout.h"
#include "support/check.h"

#include <algorithm>

namespace heddle::check {

namespace {

std::optional<LockTouched> lock_of(ir::SyncOp op, const program::Request& request) {
  if (is_condition_wait(op))
    return LockTouched{request.value, LockKind::kMutex};
  switch (facts_of(op).object) {
  case ir::SyncObject::kMutex:
    return LockTouched{request.address, LockKind::kMutex};
  case ir::SyncObject::kSpinLock:
    return LockTouched{request.address, LockKind::kSpin};
  case ir::SyncObject::kReadWriteLock:
    return LockTouched{request.address, LockKind::kReadWrite};
  case ir::SyncObject::kThread:
  case ir::SyncObject::kCondition:
  case ir::SyncObject::kSemaphore:
  case ir::SyncObject::kBarrier:
  case ir::SyncObject::kOnce:
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
