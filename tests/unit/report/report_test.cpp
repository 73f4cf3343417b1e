// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Reports of small programs, whole: what a person and a machine get to see.
#include "ir/parse.h"
#include "program/build/build.h"
#include "report/headline.h"
#include "report/json.h"
#include "report/text.h"
#include "transform/basic/transform.h"
#include "unit/check/programs.h"
#include "unit/check/ready_program.h"
#include "unit/report/violated.h"
#include "verdict/settle.h"

#include <gtest/gtest.h>

namespace heddle::report {
namespace {

using check_test::ReadyProgram;
using check_test::two_threads;
using report_test::violated;
using spec::Property;

std::string text_of(const verdict::Verdict& verdict, const spec::Task& task, unsigned width = 100) {
  SourceLines sources;
  return text(verdict, {task.program, task.model, task.question}, {width, false}, sources);
}

TEST(Text, AnAssertionThatFailsBecauseStoresAreReordered) {
  const ReadyProgram ready(
      two_threads(
          "  store.volatile i32 1, @x !1:11:1\n  store.volatile i32 1, @y !1:12:1\n",
          "  %1 = load.volatile @y !1:21:1\n  %5 = ne %1, i32 0 !1:21:1\n"
          "  branch %5, there, missing !1:21:1\nblock there:\n  %2 = load.volatile @x !1:22:1\n"
          "  %5 = ne %2, i32 0 !1:23:1\n  assert %5, \"b != 0\" !1:23:1\n  jump missing\n"
          "block missing:\n"),
      "pso");
  const spec::Task task = ready.task(Property::kReach);
  EXPECT_EQ(
      text_of(violated(task, verdict::FaultReached{}), task),
      "VIOLATED (assertion) under pso: assertion `b != 0` fails at test.c:23 in right\n"
      "\n"
      "     main                  left                          right\n"
      "     ----                  ----                          -----\n"
      "   1 test.c:31\n"
      "       create left\n"
      "   2 test.c:32\n"
      "       create right\n"
      "   3                       test.c:11\n"
      "                             buffers x = 1\n"
      "   4                       test.c:12\n"
      "                             buffers y = 1\n"
      "                             pending: x = 1, y = 1\n"
      "   5                       flushes y = 1 (#4) to memory\n"
      "                           pending: x = 1\n"
      "   6                                                     test.c:21\n"
      "                                                           reads y = 1 (from #4)\n"
      "                                                           a = 1\n"
      "   7                                                     test.c:22\n"
      "                                                           reads x = 0 (initial value)\n"
      "                                                           b = 0\n"
      "   8                                                     test.c:23\n"
      "                                                           fails: assertion\n"
      "\n"
      "assertion `b != 0` fails at test.c:23 in right: the write of y at test.c:12 reached memory "
      "before\n"
      "  left's earlier write of x at test.c:11, and right read x = 0 at test.c:22 while the write "
      "of x at\n"
      "  test.c:11 was still in left's store buffer.\n"
      "note: pso is about the machine: what a compiler may reorder is not considered\n");
}

TEST(Text, ARaceShowsBothAccessesAndTheLocks) {
  const ReadyProgram ready(two_threads("  mutex_lock(@lock) !1:11:1\n  store i32 1, @x !1:12:1\n"
                                       "  mutex_unlock(@lock) !1:13:1\n",
                                       "  %1 = load @x !1:21:1\n"),
                           "sc");
  const spec::Task task = ready.task(Property::kRace);
  EXPECT_EQ(text_of(violated(task, verdict::Race{}), task),
            "VIOLATED (data race) under sc: write of x at test.c:12 in left and read of x at "
            "test.c:21 in right "
            "are not ordered\n"
            "\n"
            "     main                  left                  right\n"
            "     ----                  ----                  -----\n"
            "   1 test.c:31\n"
            "       create left\n"
            "   2 test.c:32\n"
            "       create right\n"
            "   3                       test.c:11\n"
            "                             lock lock\n"
            "   4                       test.c:12\n"
            "                             writes x = 1\n"
            "   5                                             test.c:21\n"
            "                                                   reads x = 1 (from #4)\n"
            "                                                   a = 1\n"
            "\n"
            "#4: write of x at test.c:12 in left\n"
            "    locks held: mutex lock\n"
            "#5: read of x at test.c:21 in right\n"
            "    locks held: none\n"
            "\n"
            "Nothing orders the write of x at test.c:12 in left and the read of x at test.c:21 in "
            "right: no chain\n"
            "  of program order, locks, thread creation or joining, or release/acquire leads from "
            "#4 to #5.\n");
}

TEST(Text, ADeadlockSaysWhoWaitsForWhomAndHoldsWhat) {
  const ReadyProgram ready(two_threads("  mutex_lock(@lock) !1:11:1\n  mutex_lock(@other) !1:12:1\n"
                                       "  mutex_unlock(@other)\n  mutex_unlock(@lock)\n",
                                       "  mutex_lock(@other) !1:21:1\n  mutex_lock(@lock) !1:22:1\n"
                                       "  mutex_unlock(@lock)\n  mutex_unlock(@other)\n"),
                           "sc");
  const spec::Task task = ready.task(Property::kDeadlock);
  const std::string report = text_of(violated(task, verdict::Deadlock{}), task);
  EXPECT_TRUE(
      report.starts_with("VIOLATED (deadlock) under sc: main, left, right can never go on\n"))
      << report;
  EXPECT_NE(report.find("left holds mutex lock\nright holds mutex other\n"), std::string::npos)
      << report;
  EXPECT_NE(report.find("left waits for mutex other at test.c:12, held by right"),
            std::string::npos)
      << report;
}

TEST(Text, VerdictsThatAreNoViolations) {
  const ReadyProgram ready(two_threads("  store i32 1, @x\n", ""), "sc");
  const spec::Task task = ready.task(Property::kReach);
  verdict::Verdict verdict;
  verdict.answer = verdict::Proved{verdict::StateSpaceExhausted{1234567}};
  verdict.approximations = {{Approximation::Kind::kAssumed, "malloc succeeds", {}}};
  verdict.never_reached = verdict::NeverReached{{{1, 8, 1}}, {"left"}, true};
  EXPECT_EQ(text_of(verdict, task),
            "PROVED under sc, assuming malloc succeeds: 1,234,567 states\n"
            "note: never reached: assertion at test.c:8\n"
            "note: never started: thread left\n"
            "note: no run completes: every run is cut off, blocked or discarded before its end\n");

  verdict = {};
  verdict.answer = verdict::within_bounds({"loop at f.c:3 unrolled 4 times", "at most 10 states"});
  EXPECT_EQ(text_of(verdict, task),
            "HOLDS WITHIN BOUNDS under sc: loop at f.c:3 unrolled 4 times; at most 10 states\n");

  // What bounds kept from happening comes before them.
  verdict.answer = verdict::within_bounds({"a loop"}, verdict::out_of(Exhausted::kTime));
  verdict.never_reached = verdict::NeverReached{{{1, 8, 1}}, {"left"}, true, true, true};
  EXPECT_EQ(text_of(verdict, task),
            "HOLDS WITHIN BOUNDS under sc, BUT NO THREAD AND NO ASSERTION WAS REACHED AND NO RUN "
            "COMPLETES: a loop\n"
            "note: never reached: assertion at test.c:8\n"
            "note: never started: thread left\n"
            "note: no run completes: every run is cut off, blocked or discarded before its end\n"
            "note: bounds did not grow further: time is up\n");

  // So does that no run completes, where it is ends that are asked about.
  verdict.answer = verdict::within_bounds({"a loop"});
  verdict.never_reached = verdict::NeverReached{{}, {}, true};
  const auto begins = [&](Property property, std::string_view missed) {
    return text_of(verdict, ready.task(property))
        .starts_with("HOLDS WITHIN BOUNDS under sc" + std::string(missed) + ": a loop\n");
  };
  for (const Property property :
       {Property::kDeadlock, Property::kLiveness, Property::kCleanup, Property::kReach})
    EXPECT_TRUE(begins(property, ", BUT NO RUN COMPLETES"));
  for (const Property property :
       {Property::kRace, Property::kMemory, Property::kOverflow, Property::kRobustness})
    EXPECT_TRUE(begins(property, ""));
  const ReadyProgram asserting(check_test::store_buffering(), "sc"); // and the assertion is reached
  EXPECT_TRUE(text_of(verdict, asserting.task(Property::kReach))
                  .starts_with("HOLDS WITHIN BOUNDS under sc: a loop\n"));
  verdict.never_reached->no_thread = true;
  EXPECT_TRUE(begins(Property::kLiveness, ", BUT NO THREAD WAS REACHED AND NO RUN COMPLETES"));
  verdict = {};

  verdict.answer =
      verdict::Unknown{verdict::Unknown::Reason::kTime, "time is up", "more time (--time)"};
  EXPECT_EQ(text_of(verdict, task), "UNKNOWN under sc: time is up; help: more time (--time)\n");

  verdict.answer = verdict::Outcomes{{{{"x", 0xffffffff}, {"y", 1}}}, true};
  EXPECT_EQ(text_of(verdict, task), "1 final state under sc\n  x = -1, y = 1\n");
}

TEST(Json, CarriesTheViolationAndItsScheduleCanBeReadBack) {
  const ReadyProgram ready(check_test::store_buffering(), "tso");
  const spec::Task task = ready.task(Property::kReach);
  const verdict::Verdict verdict = violated(task, verdict::FaultReached{});
  const Subject subject{task.program, task.model, task.question};
  const nlohmann::ordered_json report = json(verdict, subject, {"1.2.3", 10});
  EXPECT_EQ(report["heddle"], "1.2.3");
  EXPECT_EQ(report["verdict"], "violated");
  EXPECT_EQ(report["exit_code"], 10);
  EXPECT_EQ(report["model"], "tso");
  EXPECT_EQ(report["property"], "reach");
  EXPECT_EQ(report["violation"]["replayed"], true);
  EXPECT_EQ(report["violation"]["kind"], "assertion");
  const auto& steps = report["violation"]["steps"];
  ASSERT_EQ(steps.size(), 5U);
  EXPECT_EQ(steps[3]["what"], "read");
  EXPECT_EQ(steps[3]["target"], "x");
  EXPECT_EQ(steps[3]["line"], 22);
  EXPECT_EQ(steps[3]["reads_from"], nullptr);
  EXPECT_EQ(steps[2]["buffer"][0], "y = 1");
  const auto& violation = std::get<verdict::Violated>(verdict.answer).violation;
  const auto schedule = schedule_from_json(report["violation"]["schedule"]);
  ASSERT_TRUE(schedule.has_value());
  EXPECT_EQ(*schedule, violation.schedule);
  EXPECT_EQ(dump(report), dump(json(verdict, subject, {"1.2.3", 10})));
}

TEST(Json, AMalformedScheduleIsRefused) {
  for (const char* text : {"3",
                           "[3]",
                           "[[\"step\",0]]",
                           "[[\"jump\",0,0]]",
                           "[[\"step\",-1,0]]",
                           "[[\"step\",99,0]]"}) {
    const auto parsed = schedule_from_json(nlohmann::ordered_json::parse(text));
    ASSERT_FALSE(parsed.has_value()) << text;
    EXPECT_EQ(parsed.error().code, "JSON-001");
  }
}

} // namespace
} // namespace heddle::report
