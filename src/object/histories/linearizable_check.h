// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Checks the scenarios of a question: for each all histories (the final states of the harness's
// cells), each judged by history/. A history that has no explanation is looked for again, as an
// assertion, so that there is a run that check/ has replayed.
#pragma once

#include "driver/pipeline/pipeline.h"
#include "history/history.h"
#include "object/histories/linearizable_question.h"
#include "support/budget.h"
#include "verdict/verdict.h"

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <variant>
#include <vector>

namespace heddle::object {

/// A history that nothing explains, and the run it was seen in.
struct UnexplainedHistory {
  PlannedScenario planned;
  history::History history;
  /// "no order of the operations explains this history", or what else is wrong with it.
  std::string why = "no order of the operations explains this history";
  std::vector<history::Event> events;
  std::map<std::uint32_t, std::string> marks; // steps of the run that are events, in words
  /// With linearization points: steps of the run that are calls and returns.
  std::map<std::uint32_t, history::Event> moments;
  std::unique_ptr<driver::Prepared> prepared; // the program of the run
  verdict::Verdict verdict;                   // violated, with the run
};

struct LinearizableSummary {
  std::uint64_t scenarios = 0;
  std::uint64_t histories = 0;
  double states = 0;
  std::optional<UnexplainedHistory> found;
  std::vector<std::string> gaps; // why not all histories were seen
  std::set<std::string> bounds;  // what was not followed further
  std::optional<Exhausted> exhausted;
  std::set<std::string> assumptions;
};

/// Stops at the first history that nothing explains, and when the budget is used up.
[[nodiscard]] Result<std::variant<LinearizableSummary, driver::Unconfirmed>>
check_scenarios(const LinearizableQuestion& question,
                const driver::Options& options,
                const Budget& budget,
                const driver::Listener& listener);

} // namespace heddle::object
