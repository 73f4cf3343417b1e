// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Beside transform::skip_idle_turns: for who asks about steps only, and for models that do not know
// dependencies.
#pragma once

#include "transform/basic/transform.h"

#include <cstdint>
#include <memory>

namespace heddle::transform {

/// skip_idle_turns(kNone), where a store to what no step of the program ever reads is nothing. What
/// memory holds at the end may then be another, so that this is for assertions and overflow only.
[[nodiscard]] std::unique_ptr<Transform> skip_unseen_turns();

/// Updates that write what they found: something that a model may tell, or as little as a read.
enum class EqualUpdates : std::uint8_t { kCount, kAreNothing };

/// skip_idle_turns for one of the kinds of reads, under a model that does not know what a value was
/// computed from: a turn may leave locals behind that are read again, with the values they had.
[[nodiscard]] std::unique_ptr<Transform> skip_turns_without_dependencies(IdleTurns kept,
                                                                         EqualUpdates updates);

} // namespace heddle::transform
