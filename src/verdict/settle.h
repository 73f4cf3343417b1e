// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// What an answer may claim, given its approximations: an under-approximation forbids "proved", an
// over-approximation forbids "violated" (unless the violation was replayed on the first program,
// which check/ does), a reachable trap or undefined behaviour makes a would-be proof unknown. And
// what a search comes to that lets bounds grow: only bounds that were gone through are told.
#pragma once

#include "verdict/verdict.h"

#include <string>
#include <vector>

namespace heddle::verdict {

/// What a limit of time or memory or an interrupt makes of a search; `seen` says what it has found
/// out until then.
[[nodiscard]] Unknown out_of(Exhausted what, const std::string& seen = {});

/// `cut`: what the last bounds that were gone through have cut. Where none was, nothing is known
/// but why the search has ended.
[[nodiscard]] Answer within_bounds(std::vector<std::string> cut, Unknown ended);
/// The bounds are those that were asked for.
[[nodiscard]] Answer within_bounds(std::vector<std::string> cut);
/// Larger bounds meet something that cannot be judged: that is the answer, whatever smaller bounds
/// have shown, which is told.
[[nodiscard]] Unknown refused(Unknown why, const std::vector<std::string>& cut);

[[nodiscard]] Verdict settle(Verdict verdict, const Approximations& more);

} // namespace heddle::verdict
