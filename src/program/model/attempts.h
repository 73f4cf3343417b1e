// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Operations that take something if it is there and otherwise say so (at once, or at last): then
// they have only looked.
#pragma once

#include "ir/ir.h"

namespace heddle::program {

/// The result is 0 where it was taken.
[[nodiscard]] constexpr bool is_attempt(ir::SyncOp op) {
  using ir::SyncOp;
  return op == SyncOp::kMutexTryLock || op == SyncOp::kMutexTimedLock ||
         op == SyncOp::kSpinTryLock || op == SyncOp::kTryReadLock || op == SyncOp::kTimedReadLock ||
         op == SyncOp::kTryWriteLock || op == SyncOp::kTimedWriteLock ||
         op == SyncOp::kSemaphoreTryWait || op == SyncOp::kSemaphoreTimedWait;
}

} // namespace heddle::program
