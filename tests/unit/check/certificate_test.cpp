// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "check/proof/closed_states.h"
#include "check/proof/recheck.h"
#include "check/proof/state_set.h"
#include "support/budget_watch.h"
#include "unit/check/programs.h"
#include "unit/check/ready_program.h"

#include <gtest/gtest.h>

#include <atomic>
#include <limits>
#include <string>

namespace heddle::check_test {
namespace {

using spec::Property;

/// What was read is one of the values that were written.
std::string two_values() {
  return two_threads("  store.volatile i32 1, @x !1:11:1\n  store.volatile i32 2, @x !1:12:1\n",
                     "  %1 = load.volatile @x !1:21:1\n  %5 = ule %1, i32 2 !1:22:1\n"
                     "  assert %5, \"b <= 2\" !1:22:1\n");
}
std::string under_a_lock(const std::string& unlock) {
  const std::string body = "  mutex_lock(@lock) !1:11:1\n  %1 = load @x !1:12:1\n"
                           "  %1 = add %1, i32 1 !1:12:1\n  store i32 %1, @x !1:12:1\n";
  return two_threads(body + "  mutex_unlock(@lock) !1:13:1\n", body + unlock);
}

verdict::Certificate certificate_of(const spec::Task& task) {
  Result<verdict::Certificate> made =
      check::certify(task, verdict::StateSpaceExhausted{}, Budget{});
  if (!made) {
    ADD_FAILURE() << made.error().to_string();
    return verdict::ClosedStates{};
  }
  return *made;
}
const std::string& states_of(const verdict::Certificate& certificate) {
  return std::get<verdict::ClosedStates>(certificate).states;
}
std::string refusal(const spec::Task& task, const verdict::Certificate& certificate) {
  const Result<check::Rechecked> rechecked = check::recheck(task, certificate, Budget{});
  return rechecked ? "" : rechecked.error().code;
}

TEST(ClosedStates, StatesOfAProvedProgramAreClosed) {
  for (const char* model : {"sc", "tso", "pso"}) {
    const ReadyProgram program(two_values(), model);
    const spec::Task task = program.task(Property::kReach);
    const verdict::Certificate certificate = certificate_of(task);
    const Result<check::Rechecked> rechecked = check::recheck(task, certificate, Budget{});
    ASSERT_TRUE(rechecked) << model << ": " << rechecked.error().to_string();
    EXPECT_GT(rechecked->states, 10U);
    EXPECT_GT(rechecked->steps, rechecked->states - 2);
    EXPECT_EQ(states_of(certificate), states_of(certificate_of(task)));
  }
}

TEST(ClosedStates, ThereIsNoneOfAViolation) {
  const ReadyProgram program(store_buffering(), "tso");
  const Result<verdict::Certificate> made =
      check::certify(program.task(Property::kReach), verdict::StateSpaceExhausted{}, Budget{});
  ASSERT_FALSE(made);
  EXPECT_EQ(made.error().code, check::kContradicted);
  EXPECT_NE(made.error().message.find("assertion"), std::string::npos);
}

TEST(ClosedStates, EveryStateIsNeeded) {
  const ReadyProgram program(two_values(), "tso");
  const spec::Task task = program.task(Property::kReach);
  const verdict::Certificate certificate = certificate_of(task);
  const auto set = check::StateSet::from_text(states_of(certificate), true, Budget{});
  ASSERT_TRUE(set);
  for (std::uint32_t dropped = 0; dropped < set->size(); ++dropped) {
    check::StateSet others(true);
    for (std::uint32_t id = 0; id < set->size(); ++id)
      if (id != dropped)
        others.insert(set->state(id));
    EXPECT_EQ(refusal(task, verdict::ClosedStates{others.to_text()}), check::kContradicted)
        << dropped;
  }
}

TEST(ClosedStates, NoByteCanBeChanged) {
  const ReadyProgram program(two_values(), "sc");
  const spec::Task task = program.task(Property::kReach);
  const std::string text = states_of(certificate_of(task));
  for (std::size_t at = 0; at < text.size(); ++at)
    for (const unsigned bits : {1U, 0x40U, 0x80U}) {
      std::string changed = text;
      changed[at] = static_cast<char>(static_cast<unsigned char>(changed[at]) ^ bits);
      EXPECT_NE(refusal(task, verdict::ClosedStates{changed}), "") << at;
    }
  for (std::size_t length = 0; length < text.size(); ++length)
    EXPECT_EQ(refusal(task, verdict::ClosedStates{text.substr(0, length)}), check::kMalformed);
  EXPECT_EQ(refusal(task, verdict::ClosedStates{text + '\0'}), check::kMalformed);
}

TEST(ClosedStates, StatesOfAnotherProgramAreRefused) {
  const ReadyProgram program(two_values(), "sc");
  const ReadyProgram other(two_threads("  store.volatile i32 3, @x !1:11:1\n", ""), "sc");
  const verdict::Certificate certificate = certificate_of(other.task(Property::kReach));
  EXPECT_NE(refusal(program.task(Property::kReach), certificate), "");
  // Nor may they stand beside those of the program.
  const auto own = check::StateSet::from_text(
      states_of(certificate_of(program.task(Property::kReach))), false, Budget{});
  const auto more = check::StateSet::from_text(states_of(certificate), false, Budget{});
  ASSERT_TRUE(own && more);
  check::StateSet both(false);
  for (std::uint32_t id = 0; id < own->size(); ++id)
    both.insert(own->state(id));
  for (std::uint32_t id = 0; id < more->size(); ++id)
    both.insert(more->state(id));
  ASSERT_GT(both.size(), own->size());
  EXPECT_EQ(refusal(program.task(Property::kReach), verdict::ClosedStates{both.to_text()}),
            check::kContradicted);
}

TEST(ClosedStates, ThoseOfAStrongerModelAreNotEnough) {
  const ReadyProgram tso(store_buffering(), "tso");
  const ReadyProgram pso(store_buffering(), "pso");
  // The same question of something that holds, so that only the sets differ.
  const verdict::Certificate certificate = certificate_of(tso.task(Property::kDeadlock));
  EXPECT_EQ(refusal(tso.task(Property::kDeadlock), certificate), "");
  EXPECT_EQ(refusal(tso.task(Property::kReach), certificate), check::kContradicted);
  const ReadyProgram two(two_threads("  store.volatile i32 1, @x !1:11:1\n"
                                     "  store.volatile i32 1, @y !1:12:1\n",
                                     ""),
                         "tso");
  const ReadyProgram same(two_threads("  store.volatile i32 1, @x !1:11:1\n"
                                      "  store.volatile i32 1, @y !1:12:1\n",
                                      ""),
                          "pso");
  EXPECT_EQ(refusal(same.task(Property::kReach), certificate_of(two.task(Property::kReach))),
            check::kContradicted);
}

TEST(ClosedStates, RacesStandSideBySide) {
  const ReadyProgram locked(under_a_lock("  mutex_unlock(@lock) !1:23:1\n"), "sc");
  const spec::Task task = locked.task(Property::kRace);
  EXPECT_EQ(refusal(task, certificate_of(task)), "");
  const ReadyProgram racy(two_threads("  store i32 1, @x !1:11:1\n", "  %1 = load @x !1:21:1\n"),
                          "sc");
  const Result<verdict::Certificate> made =
      check::certify(racy.task(Property::kRace), verdict::StateSpaceExhausted{}, Budget{});
  ASSERT_FALSE(made);
  EXPECT_EQ(made.error().code, check::kNotCertifiable);
}

TEST(ClosedStates, DeadlocksAreSeen) {
  const ReadyProgram kept(under_a_lock(""), "sc");
  const Result<verdict::Certificate> made =
      check::certify(kept.task(Property::kDeadlock), verdict::StateSpaceExhausted{}, Budget{});
  ASSERT_FALSE(made);
  EXPECT_EQ(made.error().code, check::kContradicted);
}

TEST(ClosedStates, RobustnessIsNotOfStates) {
  const ReadyProgram program(two_values(), "tso");
  const Result<verdict::Certificate> made =
      check::certify(program.task(Property::kRobustness), verdict::StateSpaceExhausted{}, Budget{});
  ASSERT_FALSE(made);
  EXPECT_EQ(made.error().code, check::kNotCertifiable);
}

spec::Bounds twice() {
  spec::Bounds bounds;
  bounds.unwind = 2;
  return bounds;
}
Result<verdict::Certificate> refute(const spec::Task& task) {
  return check::certify(task, verdict::NoExecution{0, twice()}, Budget{});
}
/// Each of the threads adds to x under the lock, and the sum is right: that takes a search.
std::string sum_under_a_lock() {
  const std::string body = "  mutex_lock(@lock) !1:11:1\n  %1 = load.volatile @x !1:12:1\n"
                           "  %1 = add %1, i32 1 !1:12:1\n  store.volatile i32 %1, @x !1:12:1\n"
                           "  mutex_unlock(@lock) !1:13:1\n";
  return two_threads(body,
                     body,
                     "  %1 = load.volatile @x !1:35:1\n  %5 = eq %1, i32 2 !1:35:1\n"
                     "  assert %5, \"x == 2\" !1:35:1\n");
}

TEST(RefutedFormulas, WhatIsProvedIsRefuted) {
  for (const char* model : {"sc", "tso", "pso"}) {
    const ReadyProgram program(sum_under_a_lock(), model);
    const spec::Task task = program.task(Property::kReach);
    const Result<verdict::Certificate> certificate = refute(task);
    ASSERT_TRUE(certificate) << certificate.error().to_string();
    ASSERT_TRUE(std::holds_alternative<verdict::RefutedFormulas>(*certificate));
    const Result<check::Rechecked> rechecked = check::recheck(task, *certificate, Budget{});
    EXPECT_TRUE(rechecked) << model << ": " << rechecked.error().to_string();
  }
}

TEST(RefutedFormulas, ThereIsNoneOfAViolation) {
  const ReadyProgram program(store_buffering(), "tso");
  const Result<verdict::Certificate> certificate = refute(program.task(Property::kReach));
  ASSERT_FALSE(certificate);
  EXPECT_EQ(certificate.error().code, check::kContradicted);
}

TEST(RefutedFormulas, EachPartIsNeeded) {
  const ReadyProgram program(sum_under_a_lock(), "tso");
  const spec::Task task = program.task(Property::kReach);
  const Result<verdict::Certificate> certificate = refute(task);
  ASSERT_TRUE(certificate);
  const auto& refuted = std::get<verdict::RefutedFormulas>(*certificate);
  ASSERT_FALSE(refuted.refutations.empty());
  ASSERT_EQ(refuted.refutations.front().question, "violation");
  for (std::size_t i = 0; i < refuted.refutations.size(); ++i) {
    verdict::RefutedFormulas changed = refuted;
    changed.refutations.erase(changed.refutations.begin() + static_cast<std::ptrdiff_t>(i));
    EXPECT_EQ(refusal(task, changed), check::kContradicted);
    changed = refuted;
    changed.refutations[i].clauses.back() ^= 1;
    EXPECT_EQ(refusal(task, changed), check::kContradicted);
    changed = refuted;
    changed.refutations.push_back(changed.refutations[i]);
    EXPECT_EQ(refusal(task, changed), check::kContradicted);
  }
  // What the proof is for is not plain from the clauses.
  verdict::RefutedFormulas changed = refuted;
  changed.refutations.front().proof.clear();
  EXPECT_EQ(refusal(task, changed), check::kContradicted);
}

TEST(RefutedFormulas, NoProofIsOneOfAnotherFormula) {
  const ReadyProgram tso(sum_under_a_lock(), "tso");
  const Result<verdict::Certificate> certificate = refute(tso.task(Property::kReach));
  ASSERT_TRUE(certificate);
  const ReadyProgram other(store_buffering(), "tso");
  EXPECT_EQ(refusal(other.task(Property::kReach), *certificate), check::kContradicted);
}

TEST(ClosedStates, TheBudgetIsKept) {
  const ReadyProgram program(two_values(), "tso");
  const spec::Task task = program.task(Property::kReach);
  const verdict::Certificate certificate = certificate_of(task);
  const std::atomic<bool> interrupt = true;
  const Budget none(std::nullopt, std::numeric_limits<std::uint64_t>::max(), &interrupt);
  const Result<verdict::Certificate> made =
      check::certify(task, verdict::StateSpaceExhausted{}, none);
  ASSERT_FALSE(made);
  EXPECT_TRUE(is_budget_used_up(made.error()));
  const Result<check::Rechecked> rechecked = check::recheck(task, certificate, none);
  ASSERT_FALSE(rechecked);
  EXPECT_TRUE(is_budget_used_up(rechecked.error()));
}

} // namespace
} // namespace heddle::check_test
