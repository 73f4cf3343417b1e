// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// The execution of a part of a run, for pictures of runs that are too long to be looked at: an
// execution has relations, which are quadratic in the number of its events.
#pragma once

#include "execution/execution.h"

#include <vector>

namespace heddle::execution {

/// As from_run; steps that are `left_out` (by number; there may be fewer) have no events.
[[nodiscard]] Execution from_steps(const Run& run, const std::vector<bool>& left_out);

} // namespace heddle::execution
