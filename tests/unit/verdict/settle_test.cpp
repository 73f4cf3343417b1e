// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "verdict/settle.h"

#include <gtest/gtest.h>

#include <type_traits>

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
  EXPECT_EQ(holds->bounds(), std::vector<std::string>{kUnder.what});
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
  const Verdict settled = settle(with(within_bounds({"at most 5 states"})), {kUnder, kUnder});
  EXPECT_EQ(std::get<HoldsWithinBounds>(settled.answer).bounds(),
            (std::vector<std::string>{"at most 5 states", kUnder.what}));
}

// There is no HoldsWithinBounds{}: whoever has no bound has a reason instead.
TEST(Settle, NothingHoldsWithinNoBounds) {
  static_assert(!std::is_default_constructible_v<HoldsWithinBounds>);
  static_assert(!std::is_constructible_v<HoldsWithinBounds, std::vector<std::string>>);
  const auto reason = [](const Answer& answer) { return std::get<Unknown>(answer).reason; };
  EXPECT_EQ(reason(within_bounds({}, out_of(Exhausted::kTime))), Unknown::Reason::kTime);
  EXPECT_EQ(reason(within_bounds({}, out_of(Exhausted::kMemory))), Unknown::Reason::kMemory);
  EXPECT_EQ(reason(within_bounds({}, out_of(Exhausted::kInterrupted))),
            Unknown::Reason::kInterrupted);
  EXPECT_EQ(reason(within_bounds({})), Unknown::Reason::kApproximation);
  const Answer bounded = within_bounds({"loop"}, out_of(Exhausted::kTime));
  EXPECT_EQ(std::get<HoldsWithinBounds>(bounded).bounds(), std::vector<std::string>{"loop"});
  EXPECT_EQ(std::get<HoldsWithinBounds>(bounded).ended(), "time is up");
}

TEST(Settle, ARefusalIsTheAnswerWhateverSmallerBoundsHaveShown) {
  const Unknown why{Unknown::Reason::kRefused, "a read to too many places", "less"};
  EXPECT_EQ(refused(why, {}).why, "a read to too many places");
  EXPECT_EQ(refused(why, {"a", "b"}).why,
            "a read to too many places; within smaller bounds it holds (a; b)");
  EXPECT_EQ(refused(why, {"a"}).reason, Unknown::Reason::kRefused);
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
