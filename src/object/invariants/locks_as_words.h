// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Locks as memory, for proofs whose steps are accesses: the first word of a mutex or spin lock
// holds who has it, as pthread_self gives it, or 0. Taking it waits in a loop of atomic sections;
// giving it back asserts that it is one's own. Sections wait for an empty store buffer, as locks
// do. Other synchronisation is left as it is.
#pragma once

#include "ir/ir.h"
#include "support/result.h"

namespace heddle::object {

[[nodiscard]] bool has_locks(const ir::Module& module);

/// OBL-001 for a lock that is not a variable with static storage of the normal kind.
[[nodiscard]] Status make_locks_words(ir::Module& module);

} // namespace heddle::object
