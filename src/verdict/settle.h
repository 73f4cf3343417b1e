// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// What an answer may claim, given its approximations: an under-approximation forbids "proved", an
// over-approximation forbids "violated" (unless the violation was replayed on the first program,
// which check/ does), a reachable trap or undefined behaviour makes a would-be proof unknown.
#pragma once

#include "verdict/verdict.h"

namespace heddle::verdict {

[[nodiscard]] Verdict settle(Verdict verdict, const Approximations& more);

} // namespace heddle::verdict
