// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Makes a program that shows a disagreement as small as it can get: threads, statements, nesting,
// orders, sizes, values.
#pragma once

#include "heddle_fuzz/program.h"

#include <functional>

namespace heddle::fuzz {

/// `still_fails` is asked of each candidate; the result still fails and none of its one-step
/// reductions does.
[[nodiscard]] Program shrink(Program program,
                             const std::function<bool(const Program&)>& still_fails);

} // namespace heddle::fuzz
