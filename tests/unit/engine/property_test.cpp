// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Each property with a program that has it and one that has not; budgets, bounds, and what keeps a
// proof from being one.
#include "unit/engine/engine_fixture.h"
#include "unit/engine/random_program.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <chrono>

namespace heddle::engine_test {
namespace {

using spec::Property;
using Threads = std::vector<std::vector<std::string>>;
using verdict::Unknown;

verdict::Verdict check(const Threads& threads,
                       Property property,
                       const std::string& model = "sc",
                       Main main = Main::kJoinAll) {
  return run(build(ir_of(threads, main), model, spec::Check{property}));
}

std::string
func_main(const std::string& globals, const std::string& registers, const std::string& body) {
  return "module lp64\n" + globals + "func @main() -> i32 {\n" + registers + "block entry:\n" +
         body + "  ret i32 0\n}\n";
}

TEST(Property, Reach) {
  EXPECT_EQ(kind_of(check({{"x=1"}, {"r0=x", "assert"}}, Property::kReach)), "violated");
  EXPECT_EQ(kind_of(check({{"x=1"}, {"while x", "endwhile", "r0=x", "assert"}}, Property::kReach)),
            "proved");
}

TEST(Property, ShortestCounterexampleIsFoundBreadthFirst) {
  const Built built = build(ir_of({{"y=1", "y=2", "y=1"}, {"r0=x", "assert"}}, Main::kJoinAll),
                            "sc",
                            spec::Check{Property::kReach});
  engine::ExplicitOptions options;
  options.reduction = false; // which may put a step of another thread first
  const verdict::Verdict verdict = run(built, options);
  const auto& violation = std::get<verdict::Violated>(verdict.answer).violation;
  for (const execution::Transition& transition : violation.schedule)
    EXPECT_NE(transition.thread, 1U) << "the first thread has nothing to do with it";
}

TEST(Property, DeadlockIsAlsoPartial) {
  const Threads crossed = {{"lock m", "lock n", "unlock n", "unlock m"},
                           {"lock n", "lock m", "unlock m", "unlock n"}};
  EXPECT_EQ(kind_of(check(crossed, Property::kDeadlock)), "violated");
  const Threads ordered = {{"lock m", "lock n", "unlock n", "unlock m"},
                           {"lock m", "lock n", "unlock n", "unlock m"}};
  EXPECT_EQ(kind_of(check(ordered, Property::kDeadlock)), "proved");
  Threads with_a_runner = crossed;
  with_a_runner.push_back({"while x", "endwhile"});
  const verdict::Verdict verdict = check(with_a_runner, Property::kDeadlock, "sc", Main::kEndAlone);
  ASSERT_EQ(kind_of(verdict), "violated");
  const auto& violation = std::get<verdict::Violated>(verdict.answer).violation;
  EXPECT_TRUE(std::get<verdict::Deadlock>(violation.kind).is_partial);
}

TEST(Property, SpinningIsNoDeadlock) {
  EXPECT_EQ(kind_of(check({{"while x", "endwhile"}, {"y=1"}}, Property::kDeadlock)), "proved");
}

TEST(Property, Race) {
  EXPECT_EQ(kind_of(check({{"x=1"}, {"x=2"}}, Property::kRace)), "violated");
  EXPECT_EQ(kind_of(check({{"lock m", "x=1", "unlock m"}, {"lock m", "x=2", "unlock m"}},
                          Property::kRace)),
            "proved");
  EXPECT_EQ(kind_of(check({{"ax=1"}, {"ax=2"}}, Property::kRace)), "proved");
  EXPECT_EQ(kind_of(check({{"ax=1"}, {"x=2"}}, Property::kRace)), "violated");
  EXPECT_EQ(kind_of(check({{"begin", "x=1", "end"}, {"begin", "x=2", "end"}}, Property::kRace)),
            "proved");
  EXPECT_EQ(kind_of(check({{"begin", "x=1", "end"}, {"x=2"}}, Property::kRace)), "violated");
}

TEST(Property, MemoryAndCleanup) {
  const std::string globals = "global @p : 8 align 8\n";
  const std::string registers = "  reg %0 : ptr\n  reg %1 : i32\n";
  const auto ask = [&](const std::string& body, Property property) {
    return kind_of(run(build(func_main(globals, registers, body), "sc", spec::Check{property})));
  };
  const std::string alloc = "  %0 = alloc heap i64 4\n  store i32 1, %0\n";
  EXPECT_EQ(ask(alloc + "  free %0\n", Property::kMemory), "proved");
  EXPECT_EQ(ask(alloc + "  free %0\n  store i32 2, %0\n", Property::kMemory), "violated");
  EXPECT_EQ(ask(alloc + "  free %0\n  free %0\n", Property::kMemory), "violated");
  EXPECT_EQ(ask("  store i32 1, ptr 0\n", Property::kMemory), "violated");
  EXPECT_EQ(ask(alloc + "  %0 = copy ptr 0\n", Property::kMemory), "violated") << "a leak";
  EXPECT_EQ(ask(alloc + "  store ptr %0, @p\n", Property::kMemory), "proved") << "still pointed to";
  EXPECT_EQ(ask(alloc + "  store ptr %0, @p\n", Property::kCleanup), "violated");
  EXPECT_EQ(ask(alloc + "  free %0\n", Property::kCleanup), "proved");
}

TEST(Property, Overflow) {
  const auto ask = [&](const std::string& operation) {
    return kind_of(
        run(build(func_main("", "  reg %0 : i32\n", "  %0 = copy i32 2147483647\n" + operation),
                  "sc",
                  spec::Check{Property::kOverflow})));
  };
  EXPECT_EQ(ask("  %0 = add nsw %0, i32 1\n"), "violated");
  EXPECT_EQ(ask("  %0 = add %0, i32 1\n"), "proved");
}

TEST(Property, UndefinedBehaviourKeepsAProofFromBeingOne) {
  const verdict::Verdict verdict =
      run(build(func_main("", "", "  store i32 1, ptr 0\n"), "sc", spec::Check{Property::kReach}));
  ASSERT_EQ(kind_of(verdict), "unknown");
  EXPECT_EQ(std::get<Unknown>(verdict.answer).reason, Unknown::Reason::kUndefinedBehaviour);
}

TEST(Property, ATrapThatIsReachedIsNamed) {
  const verdict::Verdict verdict =
      run(build(func_main("", "", "  trap \"inline assembly\" help \"remove it\"\n"),
                "sc",
                spec::Check{Property::kReach}));
  ASSERT_EQ(kind_of(verdict), "unknown");
  EXPECT_NE(std::get<Unknown>(verdict.answer).why.find("inline assembly"), std::string::npos);
  EXPECT_EQ(std::get<Unknown>(verdict.answer).help, "remove it");
}

TEST(Property, SampledValuesKeepAProofFromBeingOne) {
  const std::string text = func_main("",
                                     "  reg %0 : i32\n  reg %1 : i1\n  reg %2 : i32\n",
                                     "  %0 = nondet \"n\"\n  %2 = mul %0, %0\n  %1 = ne %2, i32 3\n"
                                     "  assert %1, \"\"\n"); // no square is 3
  const verdict::Verdict wide = run(build(text, "sc", spec::Check{Property::kReach}));
  ASSERT_EQ(kind_of(wide), "unknown");
  EXPECT_EQ(std::get<Unknown>(wide.answer).reason, Unknown::Reason::kNondeterminism);
  EXPECT_NE(std::get<Unknown>(wide.answer).help.find("--nondet-bits"), std::string::npos);
  const std::string narrow =
      func_main("",
                "  reg %0 : i8\n  reg %1 : i1\n",
                "  %0 = nondet \"n\"\n  %1 = ne %0, i8 77\n  assert %1, \"\"\n");
  EXPECT_EQ(kind_of(run(build(narrow, "sc", spec::Check{Property::kReach}))), "violated");
}

TEST(Property, ValuesThatAreOnlyComparedAreTriedCompletely) {
  for (const bool holds : {false, true}) {
    const std::string text =
        func_main("",
                  "  reg %0 : i64\n  reg %1 : i1\n  reg %2 : i1\n  reg %3 : i1\n",
                  fmt::format("  %0 = nondet \"n\"\n  %1 = slt %0, i64 -5\n  %2 = sle i64 {}, %0\n"
                              "  %3 = or %1, %2\n  assert %3, \"\"\n",
                              holds ? -5 : -4));
    EXPECT_EQ(kind_of(run(build(text, "sc", spec::Check{Property::kReach}))),
              holds ? "proved" : "violated");
  }
}

TEST(Property, AFailedAssumptionIsNeitherADeadlockNorAnOutcome) {
  const Threads threads = {{"r0=x", "assume"}, {"y=1"}};
  EXPECT_EQ(kind_of(check(threads, Property::kDeadlock)), "proved");
  const Built built = build(ir_of(threads, Main::kJoinAll), "sc", spec::Enumerate{});
  const verdict::Verdict verdict = run(built);
  EXPECT_TRUE(std::get<verdict::Outcomes>(verdict.answer).states.empty());
  ASSERT_TRUE(verdict.never_reached.has_value());
  EXPECT_TRUE(verdict.never_reached->no_run_completes);
}

TEST(Property, WhatWasNeverReachedIsListed) {
  const verdict::Verdict all = check({{"r0=x", "x=1"}, {"y=1"}}, Property::kReach);
  ASSERT_TRUE(all.never_reached.has_value());
  EXPECT_TRUE(all.never_reached->assertions.empty());
  EXPECT_TRUE(all.never_reached->threads.empty());
  EXPECT_FALSE(all.never_reached->no_run_completes);
  const verdict::Verdict some =
      check({{"if x", "r0=y", "assert", "endif"}, {"y=1"}}, Property::kReach);
  ASSERT_TRUE(some.never_reached.has_value());
  EXPECT_EQ(some.never_reached->assertions.size(), 1U);
}

TEST(Budget, TimeAndMemoryAreObeyed) {
  // Two threads that count for ever: far too many states.
  const Threads threads = {{"while z", "x+=1", "endwhile"}, {"while z", "y+=1", "endwhile"}};
  const Built built = build(ir_of(threads, Main::kJoinAll), "sc", spec::Check{Property::kReach});
  const auto start = std::chrono::steady_clock::now();
  const verdict::Verdict late = run(
      built, {}, Budget(std::chrono::milliseconds(200), std::numeric_limits<std::uint64_t>::max()));
  ASSERT_EQ(kind_of(late), "unknown");
  EXPECT_EQ(std::get<Unknown>(late.answer).reason, Unknown::Reason::kTime);
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(5));
  EXPECT_GT(states_of(late), 100U);
  const verdict::Verdict full = run(built, {}, Budget({}, 4 << 20));
  ASSERT_EQ(kind_of(full), "unknown");
  EXPECT_EQ(std::get<Unknown>(full.answer).reason, Unknown::Reason::kMemory);
  EXPECT_LT(full.statistics.counters.at("bytes"), 5 << 20);
  engine::ExplicitOptions options;
  options.max_states = 1000;
  EXPECT_EQ(kind_of(run(built, options)), "bounded");
}

TEST(Symmetry, ThreadsThatRunTheSameCodeAreSorted) {
  const Threads threads(4, {"lock m", "r0=x", "x=1", "unlock m", "y+=1"});
  const Built built =
      build(ir_of(threads, Main::kJoinAll), "tso", spec::Check{Property::kDeadlock});
  engine::ExplicitOptions options;
  options.reduction = false;
  options.symmetry = false;
  const verdict::Verdict plain = run(built, options);
  options.symmetry = true;
  const verdict::Verdict sorted = run(built, options);
  EXPECT_EQ(kind_of(plain), "proved");
  EXPECT_EQ(kind_of(sorted), "proved");
  EXPECT_EQ(sorted.statistics.counters.at("symmetry"), 1);
  EXPECT_LT(states_of(sorted) * 5, states_of(plain));
}

TEST(Symmetry, IsOffWhereSomethingHappensBetweenJoins) {
  std::string text = ir_of({{"x=1"}, {"r0=y", "assert"}}, Main::kJoinAll);
  text.insert(text.find("  join(%1)"), "  store i32 1, @y\n");
  const Built built = build(text, "sc", spec::Check{Property::kReach});
  const verdict::Verdict verdict = run(built);
  EXPECT_EQ(verdict.statistics.counters.at("symmetry"), 0);
}

TEST(Reduction, OneThreadAfterTheOtherWhereNothingIsShared) {
  // Created threads' variables count as shared (their code might run twice), so each access is a
  // step.
  const Threads apart = {{"x=1", "r0=x", "x=2"}, {"y=1", "r1=y", "y=2"}, {"z=1", "r2=z", "z=2"}};
  const Built built = build(ir_of(apart, Main::kJoinAll), "tso", spec::Check{Property::kReach});
  engine::ExplicitOptions options;
  options.symmetry = false;
  options.reduction = false;
  const std::uint64_t all = states_of(run(built, options));
  options.reduction = true;
  EXPECT_LT(states_of(run(built, options)) * 20, all);
}

} // namespace
} // namespace heddle::engine_test
