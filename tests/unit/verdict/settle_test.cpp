// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "verdict/settle.h"

#include <gtest/gtest.h>

namespace heddle::verdict {
namespace {

const Approximation kUnder{Approximation::Kind::kUnder, "loop at f.c:3 unrolled 2 times", {}};
const Approximation kOver{Approximation::Kind::kOver, "pointers may alias", {}};
const Approximation kAssumed{Approximation::Kind::kAssumed, "malloc succeeds", {}};

Verdict with(Answer answer) {
  Verdict verdict;
  verdict.answer = std::move(answer);
  return verdict;
}

TEST(Settle, ProvedStandsOnlyWithoutUnderApproximation) {
  EXPECT_TRUE(std::holds_alternative<Proved>(settle(with(Proved{}), {}).answer));
  EXPECT_TRUE(std::holds_alternative<Proved>(settle(with(Proved{}), {kOver, kAssumed}).answer));
  const Verdict bounded = settle(with(Proved{}), {kUnder});
  const auto* holds = std::get_if<HoldsWithinBounds>(&bounded.answer);
  ASSERT_NE(holds, nullptr);
  EXPECT_EQ(holds->bounds, std::vector<std::string>{kUnder.what});
}

TEST(Settle, TheEnginesOwnApproximationsCountAndCannotBeDropped) {
  Verdict verdict = with(Proved{});
  verdict.approximations = {kUnder};
  EXPECT_TRUE(std::holds_alternative<HoldsWithinBounds>(settle(std::move(verdict), {}).answer));
}

TEST(Settle, ApproximationsAreSortedAndEachOnce) {
  Verdict verdict = with(Proved{});
  verdict.approximations = {kAssumed};
  const Verdict settled = settle(std::move(verdict), {kAssumed, kOver});
  EXPECT_EQ(settled.approximations, (Approximations{kOver, kAssumed}));
}

TEST(Settle, AViolationOfAnOverApproximationNeedsItsReplay) {
  const Verdict doubtful = settle(with(Violated{}), {kOver});
  const auto* unknown = std::get_if<Unknown>(&doubtful.answer);
  ASSERT_NE(unknown, nullptr);
  EXPECT_EQ(unknown->reason, Unknown::Reason::kApproximation);

  Violated replayed;
  replayed.violation.run = execution::Run{};
  EXPECT_TRUE(std::holds_alternative<Violated>(settle(with(replayed), {kOver}).answer));
  EXPECT_TRUE(
      std::holds_alternative<Violated>(settle(with(Violated{}), {kUnder, kAssumed}).answer));
}

TEST(Settle, BoundsAreCollected) {
  const Verdict settled = settle(with(HoldsWithinBounds{{"at most 5 states"}}), {kUnder, kUnder});
  EXPECT_EQ(std::get<HoldsWithinBounds>(settled.answer).bounds,
            (std::vector<std::string>{"at most 5 states", kUnder.what}));
}

TEST(Settle, OutcomesAreCompleteOnlyIfNothingIsMissingOrAdded) {
  const auto complete = [](const Approximations& more) {
    return std::get<Outcomes>(settle(with(Outcomes{{}, true}), more).answer).complete;
  };
  EXPECT_TRUE(complete({}));
  EXPECT_TRUE(complete({kAssumed}));
  EXPECT_FALSE(complete({kUnder}));
  EXPECT_FALSE(complete({kOver}));
}

} // namespace
} // namespace heddle::verdict
