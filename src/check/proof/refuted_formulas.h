// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Certificates that are refutations: the formula of the program is built again, and the proof that
// it has no model is checked against it step by step, without a solver.
#pragma once

#include "check/proof/recheck.h"
#include "spec/task.h"
#include "support/budget.h"
#include "support/result.h"
#include "verdict/certificate.h"

namespace heddle::check {

/// With loops entered so often no execution violates the property, and none goes further.
[[nodiscard]] Result<verdict::RefutedFormulas>
refute_formulas(const spec::Task& task, const spec::Bounds& bounds, const Budget& budget);

[[nodiscard]] Result<Rechecked> recheck_formulas(const spec::Task& task,
                                                 const verdict::RefutedFormulas& certificate,
                                                 const Budget& budget);

} // namespace heddle::check
