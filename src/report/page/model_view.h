// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// An execution in the eyes of a model: the value of each of its definitions, the axioms it breaks,
// and why, as the shortest cycle told in the relations everyone knows.
#pragma once

#include "memory/core.h"
#include "report/page/html.h"

#include <optional>
#include <string>
#include <vector>

namespace heddle::report {

struct ModelView {
  std::vector<NamedRelation> relations; // definitions that are not empty here
  std::vector<NamedSet> sets;
  std::vector<std::string> axioms; // those it breaks, by name or else by text
  std::vector<std::string> flags;
  std::optional<Highlight> highlight; // of the first axiom it breaks
};

/// An execution on which the model makes no sense (memory::ConcreteValues::error) is not allowed:
/// what is wrong stands in place of the axioms, and nothing else is said. If the model completes
/// executions by choices of its own other than co, those under which the fewest axioms break.
[[nodiscard]] ModelView view(const memory::Core& core, const execution::Execution& execution);

/// The picture of `input` with the model's definitions, and its verdict.
[[nodiscard]] ShownExecution shown_under(const memory::Core& core, PictureInput input);

} // namespace heddle::report
