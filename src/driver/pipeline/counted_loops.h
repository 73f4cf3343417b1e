// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "program/model/program.h"
#include "spec/task.h"

#include <vector>

namespace heddle::driver {

/// Loops that are known to end after some turns (program/analyse/loop_turns.h), by their lines. A
/// copy of the body for each turn that cannot happen is a waste, all the more of loops in loops;
/// and with fewer copies no run comes to its end.
[[nodiscard]] std::vector<spec::LoopBound> counted_loops(const program::Program& program);

} // namespace heddle::driver
