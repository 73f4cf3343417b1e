// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// What a memory model says of one execution, by the reference meaning of its operators: the second
// opinion on everything a solver finds.
#pragma once

#include "execution/execution.h"
#include "memory/evaluator.h"
#include "support/result.h"

#include <optional>
#include <string>
#include <vector>

namespace heddle::engine::axiomatic {

struct Judgement {
  bool is_allowed = false;
  std::vector<std::string> flags = {}; // one for each axiom that raises one, if it is allowed
  std::optional<Error> error = {};   // the model makes no sense on it; nothing else counts
};

/// The name an axiom that does not forbid is reported by.
[[nodiscard]] std::string flag_name(const memory::Axiom& axiom);

/// Why the model cannot be judged execution by execution, if it cannot.
[[nodiscard]] std::optional<std::string> why_not_judged(const memory::EvaluationPlan& plan);

/// Relations that the model chooses are tried one by one.
[[nodiscard]] Judgement judge(const memory::EvaluationPlan& plan,
                              const execution::Execution& execution);

} // namespace heddle::engine::axiomatic
