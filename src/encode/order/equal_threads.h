// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Threads that nobody can tell apart. Exchanging two of them in an execution gives an execution, so
// that one may ask for the first step of the one that was created first to come first: the steps
// of both come after that, when both have been created. With n such threads one of n! executions is
// left.
#pragma once

#include "program/events/event_set.h"

#include <vector>

namespace heddle::encode {

/// Memory events that two such threads, created one after the other, may begin with. Where `when`
/// (Bool) holds they do, and where neither is a delayed write, the first may be ordered before the
/// second.
struct OrderedSteps {
  program::EventIndex first = 0;
  program::EventIndex second = 0;
  program::Term when;
};
[[nodiscard]] std::vector<OrderedSteps> first_steps_of_equal_threads(program::EventSet& set);

} // namespace heddle::encode
