// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Does the end of a replay show the violation that is claimed? The one judgement that confirm and
// minimise share.
#pragma once

#include "check/run/replayer.h"
#include "support/result.h"
#include "verdict/verdict.h"

#include <optional>

namespace heddle::check {

/// What the run so far shows, in the terms of the claim: the pair that really races, the threads
/// that really wait.
struct Shown {
  verdict::ViolationKind kind;
  /// The fault that violates the property; a leak is found here, at the end of the run.
  program::Fault fault = {};
};
/// Nothing if the claim does not hold for the run. A race is accepted if any pair of the run races.
[[nodiscard]] std::optional<Shown> judge(const Ground& ground,
                                         const Replayer& replayer,
                                         spec::Property property,
                                         const verdict::ViolationKind& claim);

} // namespace heddle::check
