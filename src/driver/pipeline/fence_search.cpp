// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "driver/pipeline/fence_search.h"

#include "support/check.h"
#include "support/overloaded.h"

#include <algorithm>
#include <optional>

namespace heddle::driver {

namespace {

using transform::FenceKind;

bool hits(const std::set<std::size_t>& chosen, const std::set<std::size_t>& set) {
  return std::ranges::any_of(set, [&](std::size_t element) { return chosen.contains(element); });
}

/// Adds at most `left` elements to `chosen` so that it hits all sets. A set that is not hit must
/// get one of its own elements, so nothing else is tried. The depth is the size of the answer.
bool extend(const std::vector<std::set<std::size_t>>& sets,
            std::size_t left,
            std::set<std::size_t>& chosen) {
  const auto open = std::ranges::find_if(sets, [&](const auto& set) { return !hits(chosen, set); });
  if (open == sets.end())
    return true;
  if (left == 0)
    return false;
  for (const std::size_t element : *open) {
    chosen.insert(element);
    if (extend(sets, left - 1, chosen))
      return true;
    chosen.erase(element);
  }
  return false;
}

/// A fence that orders stores only is cheaper: each is tried in turn.
Result<FenceAdvice> with_cheaper_fences(FenceAdvice advice, const TryFences& attempt) {
  for (FenceKind& kind : advice.kinds) {
    if (kind != FenceKind::kFull)
      continue;
    kind = FenceKind::kStoreStore;
    Result<FenceTrial> trial = attempt(advice.kinds);
    if (!trial)
      return trial.error();
    ++advice.tried;
    if (!std::holds_alternative<FencesSuffice>(*trial))
      kind = FenceKind::kFull;
  }
  return advice;
}

} // namespace

std::set<std::size_t> smallest_hitting_set(const std::vector<std::set<std::size_t>>& sets) {
  for (std::size_t size = 0;; ++size) {
    HEDDLE_CHECK(size <= sets.size(), "one element of each set hits all");
    std::set<std::size_t> chosen;
    if (extend(sets, size, chosen))
      return chosen;
  }
}

Result<FenceAdvice>
search_fences(std::size_t places, bool has_store_fences, const TryFences& attempt) {
  FenceAdvice advice;
  std::vector<std::set<std::size_t>> runs;
  while (true) {
    advice.kinds.assign(places, FenceKind::kNone);
    for (const std::size_t place : smallest_hitting_set(runs))
      advice.kinds[place] = FenceKind::kFull;
    Result<FenceTrial> trial = attempt(advice.kinds);
    if (!trial)
      return trial.error();
    ++advice.tried;
    const bool is_over =
        std::visit(Overloaded{
                       [&](const FencesSuffice&) {
                         advice.outcome = FenceAdvice::Outcome::kFound;
                         return true;
                       },
                       [&](const FencesMissing& missing) {
                         for (const std::size_t place : missing.passed)
                           HEDDLE_CHECK(advice.kinds.at(place) == FenceKind::kNone,
                                        "a run passed a fence with stores on their way");
                         if (missing.passed.empty())
                           advice.outcome = FenceAdvice::Outcome::kNone;
                         else
                           runs.push_back(missing.passed);
                         return missing.passed.empty();
                       },
                       [&](const FencesUndecided& undecided) {
                         advice.outcome = FenceAdvice::Outcome::kUndecided;
                         advice.why = undecided.why;
                         return true;
                       },
                   },
                   *trial);
    if (is_over)
      break;
  }
  if (advice.outcome == FenceAdvice::Outcome::kFound && has_store_fences)
    return with_cheaper_fences(std::move(advice), attempt);
  return advice;
}

} // namespace heddle::driver
