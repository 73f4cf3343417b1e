// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// For programs whose initial thread starts threads in a counting loop and joins them in another:
// a program with at least the same runs up to any fault, in which nobody counts. The loops go on
// for as long as they like, handles are kept nowhere, and nobody is joined. It is for searches that
// can have any number of threads (engine/explicit/counter_abstraction.h), and only a proof on it
// counts. Not for questions about what is left at the end, or who waits.
#pragma once

#include "program/model/program.h"

#include <optional>

namespace heddle::transform {

/// What a proof on the result assumes of the program: the places where handles are kept are not
/// looked at.
inline constexpr const char* kHandlesInBounds = "handles of threads are kept within bounds";

/// Nothing if no thread is created in a loop that may have more turns than a run can have threads,
/// or the counters, the handles, what threads returned and what is computed from these is used for
/// anything else.
[[nodiscard]] std::optional<program::Program> forget_thread_counts(const program::Program& program);

} // namespace heddle::transform
