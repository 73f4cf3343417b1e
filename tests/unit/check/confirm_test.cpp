// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "check/confirm.h"
#include "check/judge_claim.h"
#include "unit/check/programs.h"
#include "unit/check/ready_program.h"

#include <gtest/gtest.h>

namespace heddle::check_test {
namespace {

using check::Ground;
using check::Replayer;
using execution::Step;
using spec::Property;

verdict::Violation
claim(Property property, verdict::ViolationKind kind, execution::Schedule schedule) {
  verdict::Violation violation;
  violation.property = property;
  violation.kind = kind;
  violation.schedule = std::move(schedule);
  return violation;
}

bool fails_with_pending(const Ground&, const Replayer& replayer) {
  if (replayer.run().fault.kind != program::FaultKind::kAssertion)
    return false;
  for (const Step& step : replayer.run().steps)
    if (step.what == Step::What::kRead && step.from_own_buffer)
      return false;
  return true;
}

TEST(Replay, FillsInWhatEachStepDid) {
  const ReadyProgram ready(
      two_threads("  store.volatile i32 7, @x !1:11:1\n  %1 = load.volatile @x !1:12:1\n"
                  "  %2 = add %1, i32 1 !1:13:1\n  store.volatile i32 %2, @y !1:14:1\n",
                  ""),
      "tso");
  const spec::Task task = ready.task(Property::kReach);
  // create left; left: store x (delayed), load x (own buffer), store y, flush x.
  const execution::Schedule schedule = {{execution::Transition::Kind::kStep, 0, 0},
                                        {execution::Transition::Kind::kStep, 1, 0},
                                        {execution::Transition::Kind::kStep, 1, 0},
                                        {execution::Transition::Kind::kStep, 1, 0},
                                        {execution::Transition::Kind::kFlush, 1, 0}};
  const Result<execution::Run> run = check::replay(task, schedule);
  ASSERT_TRUE(run.has_value()) << run.error().to_string();
  const std::vector<Step>& steps = run->steps;
  ASSERT_EQ(steps.size(), 5U);
  EXPECT_EQ(steps[0].what, Step::What::kSynchronize);
  EXPECT_EQ(steps[0].created, std::optional<program::ThreadIndex>(1));
  EXPECT_EQ(steps[1].what, Step::What::kWrite);
  EXPECT_EQ(steps[1].value_written, 7U);
  EXPECT_EQ(steps[1].buffer, (std::vector<std::uint32_t>{1}));
  EXPECT_EQ(steps[1].loc.line, 11U);
  EXPECT_EQ(steps[2].what, Step::What::kRead);
  EXPECT_EQ(steps[2].value_read, 7U);
  EXPECT_EQ(steps[2].reads_from, std::optional<std::uint32_t>(1));
  EXPECT_TRUE(steps[2].from_own_buffer);
  ASSERT_EQ(steps[2].assigned.size(), 2U);
  EXPECT_EQ(steps[2].assigned[0].name, "a");
  EXPECT_EQ(steps[2].assigned[0].value, 7U);
  EXPECT_EQ(steps[2].assigned[1].name, "b");
  EXPECT_EQ(steps[2].assigned[1].value, 8U);
  EXPECT_EQ(steps[3].value_written, 8U);
  EXPECT_EQ(steps[3].buffer, (std::vector<std::uint32_t>{1, 3}));
  EXPECT_EQ(steps[4].what, Step::What::kFlush);
  EXPECT_EQ(steps[4].flushes, std::optional<std::uint32_t>(1));
  EXPECT_EQ(steps[4].buffer, (std::vector<std::uint32_t>{3}));
  ASSERT_EQ(steps[1].stack.size(), 1U);
  EXPECT_EQ(ready.program().procedures[steps[1].stack[0].procedure].name, "left");
}

TEST(Replay, ATransitionThatIsNotEnabledIsNamed) {
  const ReadyProgram ready(store_buffering(), "sc");
  const Result<execution::Run> run =
      check::replay(ready.task(Property::kReach), {{execution::Transition::Kind::kStep, 3, 0}});
  ASSERT_FALSE(run.has_value());
  EXPECT_EQ(run.error().code, "CHECK-001");
  EXPECT_NE(run.error().message.find("transition 1"), std::string::npos);
}

TEST(Confirm, AnAssertionThatFailsIsConfirmedForItsPropertyOnly) {
  const ReadyProgram ready(store_buffering(), "tso");
  const auto schedule = find_run(ready.task(Property::kReach), fails_with_pending);
  ASSERT_TRUE(schedule.has_value());
  const Result<verdict::Violation> confirmed = check::confirm(
      ready.task(Property::kReach), claim(Property::kReach, verdict::FaultReached{}, *schedule));
  ASSERT_TRUE(confirmed.has_value()) << confirmed.error().to_string();
  ASSERT_TRUE(confirmed->run.has_value());
  EXPECT_EQ(confirmed->run->fault.what, "b != 0");
  EXPECT_EQ(confirmed->evidence.threads, (std::vector<std::string>{"main", "left", "right"}));

  for (const Property other : {Property::kMemory, Property::kOverflow, Property::kCleanup}) {
    const auto refused =
        check::confirm(ready.task(other), claim(other, verdict::FaultReached{}, *schedule));
    ASSERT_FALSE(refused.has_value());
    EXPECT_EQ(refused.error().code, "CHECK-003");
  }
}

TEST(Confirm, ARunThatEndsWellShowsNothing) {
  const ReadyProgram ready(store_buffering(), "sc");
  const auto schedule =
      find_run(ready.task(Property::kReach), [](const Ground& ground, const Replayer& replayer) {
        return ground.machine().is_final(replayer.state());
      });
  ASSERT_TRUE(schedule.has_value());
  const std::pair<Property, verdict::ViolationKind> claims[] = {
      {Property::kReach, verdict::FaultReached{}},
      {Property::kDeadlock, verdict::Deadlock{}},
      {Property::kRobustness, verdict::NotRobust{}},
      {Property::kMemory, verdict::FaultReached{}}};
  for (const auto& [property, kind] : claims)
    EXPECT_FALSE(
        check::confirm(ready.task(property), claim(property, kind, *schedule)).has_value());
}

TEST(Confirm, LocksTakenInOppositeOrdersAreADeadlockWithItsReasons) {
  const ReadyProgram ready(two_threads("  mutex_lock(@lock) !1:11:1\n  mutex_lock(@other) !1:12:1\n"
                                       "  mutex_unlock(@other)\n  mutex_unlock(@lock)\n",
                                       "  mutex_lock(@other) !1:21:1\n  mutex_lock(@lock) !1:22:1\n"
                                       "  mutex_unlock(@lock)\n  mutex_unlock(@other)\n"),
                           "sc");
  const spec::Task task = ready.task(Property::kDeadlock);
  const auto schedule = find_run(task, [](const Ground& ground, const Replayer& replayer) {
    return check::judge(ground, replayer, Property::kDeadlock, verdict::Deadlock{}).has_value();
  });
  ASSERT_TRUE(schedule.has_value());
  const auto confirmed =
      check::confirm(task, claim(Property::kDeadlock, verdict::Deadlock{}, *schedule));
  ASSERT_TRUE(confirmed.has_value());
  EXPECT_EQ(std::get<verdict::Deadlock>(confirmed->kind).threads, 7U);
  ASSERT_EQ(confirmed->evidence.waiting.size(), 3U);
  EXPECT_EQ(confirmed->evidence.waiting[0].reason, "join");
  EXPECT_EQ(confirmed->evidence.waiting[1].reason, "mutex");
  EXPECT_EQ(confirmed->evidence.waiting[1].name, "other");
  EXPECT_EQ(confirmed->evidence.waiting[1].for_threads, (std::vector<program::ThreadIndex>{2}));
  ASSERT_EQ(confirmed->evidence.held.size(), 2U);
  EXPECT_EQ(confirmed->evidence.held[0].name, "lock");
}

TEST(Confirm, RobustnessFindsTheCycleUnderTsoAndNoneUnderSc) {
  const auto has_cycle = [](const Ground& ground, const Replayer& replayer) {
    return check::judge(ground, replayer, Property::kRobustness, verdict::NotRobust{}).has_value();
  };
  const ReadyProgram weak(store_buffering(), "tso");
  const auto schedule = find_run(weak.task(Property::kRobustness), has_cycle, 14);
  ASSERT_TRUE(schedule.has_value());
  const auto confirmed =
      check::confirm(weak.task(Property::kRobustness),
                     claim(Property::kRobustness, verdict::NotRobust{}, *schedule));
  ASSERT_TRUE(confirmed.has_value());
  EXPECT_EQ(confirmed->evidence.cycle.size(), 4U);
  const ReadyProgram strong(store_buffering(), "sc");
  EXPECT_FALSE(find_run(strong.task(Property::kRobustness), has_cycle, 14).has_value());
}

TEST(Confirm, AMessagePassedInOrderIsRobustUnderTso) {
  const ReadyProgram ready(two_threads("  store.volatile i32 1, @x\n  store.volatile i32 1, @y\n",
                                       "  %1 = load.volatile @y\n  %2 = load.volatile @x\n"),
                           "tso");
  EXPECT_FALSE(find_run(
                   ready.task(Property::kRobustness),
                   [](const Ground& ground, const Replayer& replayer) {
                     return check::judge(
                                ground, replayer, Property::kRobustness, verdict::NotRobust{})
                         .has_value();
                   },
                   14)
                   .has_value());
}

TEST(Minimise, DropsWhatDoesNotMatterAndKeepsTheFailure) {
  const ReadyProgram ready(store_buffering(), "tso");
  const spec::Task task = ready.task(Property::kReach);
  const auto schedule = find_run(task, fails_with_pending);
  ASSERT_TRUE(schedule.has_value());
  const auto confirmed =
      check::confirm(task, claim(Property::kReach, verdict::FaultReached{}, *schedule));
  ASSERT_TRUE(confirmed.has_value());
  const verdict::Violation smaller = check::minimise(task, *confirmed, Budget{});
  ASSERT_TRUE(smaller.run.has_value());
  EXPECT_EQ(smaller.run->fault.what, "b != 0");
  EXPECT_LE(smaller.schedule.size(), schedule->size());
  // Both created; right runs alone: its write, its read of 0, the failing assertion. Nothing of
  // left is needed.
  EXPECT_EQ(smaller.schedule.size(), 5U);
  EXPECT_TRUE(check::confirm(task, smaller).has_value());
  EXPECT_EQ(check::minimise(task, *confirmed, Budget{}).schedule, smaller.schedule);
}

} // namespace
} // namespace heddle::check_test
