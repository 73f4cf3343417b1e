// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Is a run one that sequential consistency allows? Builds po, rf, co and fr of the run, byte by
// byte, with the order of synchronisation on each object, and looks for a cycle (Shasha and Snir:
// Efficient and Correct Execution of Parallel Programs that Share Memory, TOPLAS 1988). A store
// that never left its buffer comes after all that did.
#pragma once

#include "check/run/replayer.h"
#include "execution/execution.h"
#include "verdict/evidence.h"

#include <vector>

namespace heddle::check {

/// A shortest cycle over the steps of the run, or nothing if there is none.
[[nodiscard]] std::vector<verdict::CycleEdge> find_cycle(const Replayer& replayer);
/// The same of an execution: over the steps that its events belong to, of which there are so many.
[[nodiscard]] std::vector<verdict::CycleEdge> find_cycle(const execution::Execution& execution,
                                                         std::size_t steps);

} // namespace heddle::check
