// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Threads that nobody can tell apart. Exchanging two of them in an execution gives an execution, so
// that one may ask for the first step of the one that was created first to come first: the steps
// of both come after that, when both have been created. With n such threads one of n! executions is
// left.
#pragma once

#include "program/event_set.h"

#include <utility>
#include <vector>

namespace heddle::encode {

/// Pairs of the first memory events of such threads; where both are in step with their threads, the
/// first may be ordered before the second.
[[nodiscard]] std::vector<std::pair<program::EventIndex, program::EventIndex>>
first_steps_of_equal_threads(const program::EventSet& set);

} // namespace heddle::encode
