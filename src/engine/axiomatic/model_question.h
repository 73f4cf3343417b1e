// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Questions about a program under any axiomatic model, by a solver. Final states: it is asked for
// an execution with a state that is not known yet, until there is none. Assertions: it is asked for
// an execution in which one fails.
#pragma once

#include "engine/engine.h"
#include "spec/task.h"
#include "verdict/verdict.h"

#include <functional>
#include <optional>
#include <string>

namespace heddle::engine::axiomatic {

/// Is the task to be answered from the axioms of its model?
[[nodiscard]] bool is_about_axioms(const spec::Task& task);
/// Why not, if it cannot be.
[[nodiscard]] std::optional<std::string> why_not_by_axioms(const spec::Task& task);
/// Which final states count; none: all.
using Admits = std::function<bool(const verdict::Outcome&)>;
/// Takes what `why_not_by_axioms` has no objection to.
[[nodiscard]] verdict::Verdict
answer_by_axioms(const spec::Task& task, const Context& context, const Admits& admits);

} // namespace heddle::engine::axiomatic
