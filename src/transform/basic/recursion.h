// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Recursion to a depth: what unrolling is to loops. Used by unroll and inline_calls.
#pragma once

#include "program/model/program.h"
#include "spec/task.h"
#include "support/result.h"

namespace heddle::transform {

/// Procedures that call themselves, directly or through each other, are copied for each depth from
/// 0 to a bound; a call that would go deeper ends in a Cut. The bound is `bounds.unwind`, or what
/// `bounds.loops` says of the line of a call in the cycle, if that is more; 0 does not cut. Calls
/// through pointers are not followed: they stay, and lead to depth 0 again. The copies are one to
/// one with the actions of the source, so schedules are kept (rewrite.h). Each procedure keeps its
/// id (and with it its address) at depth 0.
[[nodiscard]] Status bound_recursion(program::Program& program, const spec::Bounds& bounds);

/// Does the bound name a line with a call that leads back to its procedure?
[[nodiscard]] bool is_recursive_call(const program::Program& program, const spec::LoopBound& bound);

} // namespace heddle::transform
