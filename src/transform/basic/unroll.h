// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "support/budget.h"
#include "support/result.h"
#include "transform/basic/transform.h"

#include <cstddef>
#include <memory>

namespace heddle::transform {

/// Loops that end after a known number of turns are run out, whatever the bound, while their copies
/// in a procedure have no more edges than that. One that does more than to compute counts as 32.
inline constexpr std::size_t kMostRunOut = std::size_t{1} << 19U;
/// The budget outlives it; null: there is none.
[[nodiscard]] std::unique_ptr<Transform>
unroll(NamedLoops named, std::size_t most_run_out, const Budget* budget);

/// Was the program refused for its size with these bounds, and for nothing else? Then smaller ones
/// stand, as they do when time is up.
[[nodiscard]] bool is_too_large(const Error& error);

} // namespace heddle::transform
