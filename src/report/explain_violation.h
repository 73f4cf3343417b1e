// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Why the property fails, in words.
#pragma once

#include "report/subject.h"
#include "verdict/verdict.h"

#include <string>
#include <vector>

namespace heddle::report {

/// What is wrong, as the verdict line says it: "assertion `x == 1` fails at f.c:12 in worker".
[[nodiscard]] std::string what_fails(const verdict::Violation& violation, const Subject& subject);
/// One sentence that says why, ending in a full stop.
[[nodiscard]] std::string explanation(const verdict::Violation& violation, const Subject& subject);
/// Further lines: both accesses of a race with stacks and locks, who waits for whom, the cycle.
[[nodiscard]] std::vector<std::string> particulars(const verdict::Violation& violation,
                                                   const Subject& subject);

} // namespace heddle::report
