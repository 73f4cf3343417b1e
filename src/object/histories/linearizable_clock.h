// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Checks one scenario with the harness that has a clock (object/scenarios/harness_clock.h), so by
// any engine: which results are there, and are there precedences with them that leave no
// explanation (history/explanations.h)?
#pragma once

#include "driver/pipeline/pipeline.h"
#include "object/histories/linearizable_check.h"
#include "object/histories/linearizable_question.h"
#include "support/budget.h"

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace heddle::object {

struct ClockAnswer {
  std::uint64_t results = 0; // different ones
  double states = 0;
  std::optional<UnexplainedHistory> found;
  std::optional<driver::Unconfirmed> unconfirmed;
  std::vector<std::string> gaps;
  std::set<std::string> bounds;
  std::set<std::string> assumptions;
};

[[nodiscard]] Result<ClockAnswer> check_by_clock(const LinearizableQuestion& question,
                                                 const PlannedScenario& planned,
                                                 const driver::Options& options,
                                                 const Budget& budget,
                                                 const driver::Listener& listener);

} // namespace heddle::object
