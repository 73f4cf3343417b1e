// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// The final states of a program under any axiomatic model, by a solver: it is asked for an execution
// with a state that is not known yet until there is none. Every execution it finds is judged by the
// axioms before it counts.
#pragma once

#include "engine/engine.h"
#include "spec/task.h"
#include "verdict/verdict.h"

#include <optional>
#include <string>

namespace heddle::engine::axiomatic {

/// Why not, if it cannot be answered from the axioms of the model.
[[nodiscard]] std::optional<std::string> why_not_by_axioms(const spec::Task& task);
/// Takes what `why_not_by_axioms` has no objection to.
[[nodiscard]] verdict::Verdict answer_by_axioms(const spec::Task& task, const Context& context);

} // namespace heddle::engine::axiomatic
