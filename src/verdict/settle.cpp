// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "verdict/settle.h"

#include "support/overloaded.h"

#include <algorithm>
#include <utility>

namespace heddle::verdict {

namespace {

/// The phrases of one kind, each once, in order.
std::vector<std::string> phrases(const Approximations& approximations, Approximation::Kind kind) {
  std::vector<std::string> found;
  for (const Approximation& approximation : approximations)
    if (approximation.kind == kind && std::ranges::find(found, approximation.what) == found.end())
      found.push_back(approximation.what);
  return found;
}

void add_bounds(std::vector<std::string>& bounds, const std::vector<std::string>& more) {
  for (const std::string& bound : more)
    if (std::ranges::find(bounds, bound) == bounds.end())
      bounds.push_back(bound);
}

} // namespace

Verdict settle(Verdict verdict, const Approximations& more) {
  Approximations& all = verdict.approximations;
  all.insert(all.end(), more.begin(), more.end());
  std::ranges::sort(all);
  const auto repeated = std::ranges::unique(all);
  all.erase(repeated.begin(), repeated.end());

  const std::vector<std::string> under = phrases(all, Approximation::Kind::kUnder);
  const std::vector<std::string> over = phrases(all, Approximation::Kind::kOver);
  verdict.answer = std::visit(
      Overloaded{
          [&](Proved proved) -> Answer {
            if (under.empty())
              return proved;
            return HoldsWithinBounds{under};
          },
          [&](HoldsWithinBounds holds) -> Answer {
            add_bounds(holds.bounds, under);
            return holds;
          },
          [&](Violated violated) -> Answer {
            // A violation that check/ replayed on the first program is real, whatever was added on
            // the way.
            if (over.empty() || violated.violation.run)
              return violated;
            return Unknown{Unknown::Reason::kApproximation,
                           "a violation was found, but the program was approximated: " +
                               over.front(),
                           "a more exact analysis, or an engine that works on the program itself"};
          },
          [&](Unknown unknown) -> Answer { return unknown; },
          [&](Outcomes outcomes) -> Answer {
            outcomes.complete = outcomes.complete && under.empty() && over.empty();
            return outcomes;
          },
      },
      std::move(verdict.answer));
  return verdict;
}

} // namespace heddle::verdict
