// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// The operations on threads and of their synchronisation: the names only. What each is about is in
// sync_facts.h, what it takes and gives in the table both come from, sync_ops.def.
#pragma once

#include <cstddef>
#include <cstdint>

namespace heddle::ir {

enum class SyncOp : std::uint8_t {
#define HEDDLE_SYNC_OP(enumerator, word, said, object, role, attempt, operands, addresses)         \
  k##enumerator,
#include "ir/sync_ops.def"
};

inline constexpr std::size_t kSyncOps = 0
#define HEDDLE_SYNC_OP(enumerator, word, said, object, role, attempt, operands, addresses) +1
#include "ir/sync_ops.def"
    ;

} // namespace heddle::ir
