// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// What a condition says of single variables, for an analysis of ranges of terms that matter only
// where it holds.
#pragma once

#include "logic/range.h"

namespace heddle::logic {

/// The ranges that a condition gives its variables by comparing them with constants. For other
/// values of a variable the condition is false.
[[nodiscard]] VariableRanges ranges_where(const TermStore& store, Term condition);

} // namespace heddle::logic
