// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "verdict/settle.h"

#include "support/check.h"
#include "support/overloaded.h"

#include <algorithm>
#include <utility>

namespace heddle::verdict {

/// The one place where such an answer is made.
class BoundedAnswer {
public:
  static HoldsWithinBounds make(std::vector<std::string> bounds, std::string ended) {
    HEDDLE_CHECK(!bounds.empty(), "a verdict about bounds without a bound");
    return {std::move(bounds), std::move(ended)};
  }
};

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

Unknown out_of(Exhausted what, const std::string& seen) {
  const std::string more = seen.empty() ? "" : ": " + seen;
  switch (what) {
  case Exhausted::kTime:
    return {Unknown::Reason::kTime, "time is up" + more, "more time (--time)"};
  case Exhausted::kMemory:
    return {Unknown::Reason::kMemory, "memory is used up" + more, "more memory (--memory)"};
  case Exhausted::kInterrupted:
    return {Unknown::Reason::kInterrupted, "interrupted" + more, ""};
  }
  HEDDLE_CHECK(false, "no such limit");
  return {};
}

Answer within_bounds(std::vector<std::string> cut, Unknown ended) {
  if (cut.empty())
    return ended;
  return BoundedAnswer::make(std::move(cut), std::move(ended.why));
}

Answer within_bounds(std::vector<std::string> cut) {
  if (cut.empty())
    return Unknown{
        Unknown::Reason::kApproximation, "runs were cut, and it is not known by what", ""};
  return BoundedAnswer::make(std::move(cut), "");
}

Unknown refused(Unknown why, const std::vector<std::string>& cut) {
  for (std::size_t i = 0; i < cut.size(); ++i)
    why.why += (i == 0 ? "; within smaller bounds it holds (" : "; ") + cut[i];
  why.why += cut.empty() ? "" : ")";
  return why;
}

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
            return BoundedAnswer::make(under, "");
          },
          [&](const HoldsWithinBounds& holds) -> Answer {
            std::vector<std::string> bounds = holds.bounds();
            add_bounds(bounds, under);
            return BoundedAnswer::make(std::move(bounds), holds.ended());
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
