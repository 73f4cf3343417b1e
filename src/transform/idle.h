// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Beside transform::skip_idle_turns, for who asks about steps only.
#pragma once

#include "transform/transform.h"

#include <memory>

namespace heddle::transform {

/// skip_idle_turns, where a store to what no step of the program ever reads is nothing. What memory
/// holds at the end may then be another, so that this is for assertions and overflow only.
/// Where the only other thing a turn does is to store something, whether it is skipped depends on
/// who finds that: a hint (kSpinEnd, "told …") stands after the assumption, whose operand (Bool)
/// says that the turn did something else. With kNoneOfReads such turns are skipped, too, beside
/// those that only read: nothing depends on a store that nobody finds.
[[nodiscard]] std::unique_ptr<Transform> skip_unseen_turns(IdleTurns kept = IdleTurns::kNone);

} // namespace heddle::transform
