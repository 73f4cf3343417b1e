// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Can an assertion fail under an axiomatic model? Executions are prefixes here: a thread that waits
// in vain, or comes to a bound, has no further events, and hides nothing of what the others do.
#pragma once

#include "engine/engine.h"
#include "spec/task.h"
#include "verdict/verdict.h"

#include <optional>
#include <string>

namespace heddle::engine::axiomatic {

/// Why not, if it cannot be said from the axioms.
[[nodiscard]] std::optional<std::string> why_not_checked(const spec::Task& task);
/// Loops are unrolled further until none is cut, unless bounds are given. A violation carries the
/// execution.
[[nodiscard]] verdict::Verdict check_by_axioms(const spec::Task& task, const Context& context);

} // namespace heddle::engine::axiomatic
