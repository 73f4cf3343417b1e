// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Recursion to a depth: what unrolling is to loops. Used by unroll and inline_calls.
#pragma once

#include "program/program.h"
#include "support/result.h"

#include <cstdint>

namespace heddle::transform {

/// Procedures that call themselves, directly or through each other, are copied for each depth from
/// 0 to `bound`; a call that would go deeper ends in a Cut. Calls through pointers are not
/// followed: they stay, and lead to depth 0 again. The copies are one to one with the actions of
/// the source, so schedules are kept (rewrite.h). Each procedure keeps its id (and with it its
/// address) at depth 0.
[[nodiscard]] Status bound_recursion(program::Program& program, std::uint32_t bound);

} // namespace heddle::transform
