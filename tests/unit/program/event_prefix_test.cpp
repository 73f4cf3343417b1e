// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Events for a solver: what narrows guards, where paths meet, threads, atomic sections, memory.
#include "event_prefix_fixture.h"
#include "unit/check/programs.h"

namespace heddle::program_test {
namespace {

using check_test::two_threads;

/// Another thread that touches both, so that they have events.
const char* const kOther =
    "  store.volatile i32 3, @x !1:21:1\n  store.volatile i32 3, @y !1:22:1\n";

TEST(PrefixEvents, AnAssumptionNarrowsTheGuardOfWhatFollows) {
  const Events made = solver_events(two_threads("  %1 = load.volatile @x !1:11:1\n"
                                                "  %5 = ne %1, i32 0 !1:12:1\n"
                                                "  assume %5 !1:12:1\n"
                                                "  store.volatile i32 1, @y !1:13:1\n",
                                                kOther));
  ASSERT_TRUE(made.set);
  EXPECT_TRUE(made.of(1, Kind::kAssume).empty());
  const EventIndex read = made.of(1, Kind::kRead).at(0);
  const EventIndex write = made.of(1, Kind::kWrite).at(0);
  EXPECT_TRUE(made.is_certain(read));
  EXPECT_FALSE(holds(made, made.at(write).guard, {{read, 0}}));
  EXPECT_TRUE(holds(made, made.at(write).guard, {{read, 7}}));
  // The thread comes to its end only then.
  EXPECT_FALSE(holds(made, made.at(*made.set->threads[1].end).guard, {{read, 0}}));
}

TEST(PrefixEvents, AFailedCheckEndsThePath) {
  const Events made = solver_events(two_threads("  %1 = load.volatile @x !1:11:1\n"
                                                "  %5 = ne %1, i32 0 !1:12:1\n"
                                                "  assert %5, \"x\" !1:12:1\n"
                                                "  assert %5, \"x\" !1:13:1\n"
                                                "  store.volatile i32 1, @y !1:14:1\n",
                                                kOther));
  ASSERT_TRUE(made.set);
  const EventIndex read = made.of(1, Kind::kRead).at(0);
  ASSERT_EQ(made.of(1, Kind::kCheck).size(), 1U); // the second is known to hold
  const StaticEvent& check = made.at(made.of(1, Kind::kCheck)[0]);
  EXPECT_EQ(check.fault, FaultKind::kAssertion);
  EXPECT_FALSE(holds(made, check.value, {{read, 0}}));
  EXPECT_TRUE(check.edge);
  EXPECT_EQ(check.procedure, made.set->threads[1].entry);
  const StaticEvent& write = made.at(made.of(1, Kind::kWrite).at(0));
  EXPECT_FALSE(holds(made, write.guard, {{read, 0}}));
  EXPECT_TRUE(holds(made, write.guard, {{read, 1}}));
}

TEST(PrefixEvents, WherePathsMeetTheGuardIsWhatItWasBefore) {
  const Events made = solver_events(two_threads("  %1 = load.volatile @x !1:11:1\n"
                                                "  %5 = ne %1, i32 0 !1:12:1\n"
                                                "  branch %5, one, two !1:12:1\n"
                                                "block one:\n"
                                                "  %2 = copy i32 5 !1:13:1\n"
                                                "  jump out !1:13:1\n"
                                                "block two:\n"
                                                "  %2 = copy i32 6 !1:14:1\n"
                                                "  jump out !1:14:1\n"
                                                "block out:\n"
                                                "  store.volatile i32 %2, @y !1:15:1\n",
                                                kOther));
  ASSERT_TRUE(made.set);
  const EventIndex write = made.of(1, Kind::kWrite).at(0);
  EXPECT_TRUE(made.is_certain(write));
  const auto written = [&](std::uint64_t value) {
    return made.set->terms.evaluate(made.at(write).value, [&](std::uint64_t) { return value; });
  };
  EXPECT_EQ(written(0), 6U);
  EXPECT_EQ(written(3), 5U);
}

TEST(PrefixEvents, ThreadsHaveEndsThatJoinsWaitFor) {
  const Events made = solver_events(
      two_threads("  store.volatile i32 1, @x !1:11:1\n  store.volatile i32 1, @y !1:12:1\n",
                  "  %1 = load.volatile @x !1:21:1\n"
                  "  %5 = ne %1, i32 0 !1:22:1\n  assume %5 !1:22:1\n",
                  "  %1 = load.volatile @y !1:35:1\n"));
  ASSERT_TRUE(made.set);
  ASSERT_EQ(made.set->threads.size(), 3U);
  for (std::uint32_t i = 1; i < 3; ++i) {
    const StaticThread& thread = made.set->threads[i];
    EXPECT_EQ(thread.start, thread.first);
    EXPECT_EQ(thread.creator, 0U);
    ASSERT_TRUE(thread.created_at && thread.end);
    EXPECT_EQ(made.at(*thread.created_at).kind, Kind::kEndpoint);
    EXPECT_EQ(made.at(*thread.created_at).thread, 0U);
  }
  ASSERT_EQ(made.set->joins.size(), 2U);
  EXPECT_EQ(made.set->joins[0].thread, 1U);
  EXPECT_EQ(made.set->joins[1].thread, 2U);
  // What comes after the joins happens if both threads have ended.
  const StaticEvent& after = made.at(made.of(0, Kind::kRead).at(0));
  EXPECT_FALSE(holds(made, after.guard, {}, {{2, 1}}));
  EXPECT_FALSE(holds(made, after.guard, {}, {{4, 1}}));
  EXPECT_TRUE(holds(made, after.guard, {}, {{2, 1}, {4, 1}}));
  // Both ends are defined: the second thread's depends on what it reads.
  std::size_t defined = 0;
  for (const StaticDefinition& definition : made.set->definitions)
    if (made.set->terms.sort(definition.variable).is_bool()) {
      ++defined;
      const std::uint64_t number =
          made.set->terms.node(definition.variable).value - kFirstDefinedVariable;
      EXPECT_EQ(definition.value, made.at(*made.set->threads[number / 2].end).guard);
    }
  EXPECT_EQ(defined, 3U);
}

TEST(PrefixEvents, SectionsHaveABeginningAndEnds) {
  const Events made = solver_events(two_threads("  atomic_begin !1:11:1\n"
                                                "  %1 = load @x !1:12:1\n"
                                                "  atomic_begin !1:13:1\n"
                                                "  store i32 1, @x !1:14:1\n"
                                                "  atomic_end !1:15:1\n"
                                                "  atomic_end !1:16:1\n"
                                                "  store i32 2, @x !1:17:1\n",
                                                "  store i32 1, @x !1:21:1\n"));
  ASSERT_TRUE(made.set);
  ASSERT_EQ(made.set->sections.size(), 1U);
  const StaticSection& section = made.set->sections[0];
  ASSERT_EQ(section.ends.size(), 1U);
  EXPECT_EQ(made.at(section.begin).section, section.number);
  EXPECT_EQ(made.at(section.ends[0]).section, section.number);
  const std::vector<EventIndex> writes = made.of(1, Kind::kWrite);
  EXPECT_EQ(made.at(writes.at(0)).section, section.number);
  EXPECT_EQ(made.at(writes.at(1)).section, 0U);
}

TEST(PrefixEvents, NothingStopsAThreadBeforeASectionWithoutWaits) {
  const Events made = solver_events(two_threads(
      "  atomic_begin !1:11:1\n  store i32 1, @x !1:12:1\n  atomic_end !1:13:1\n", kOther));
  ASSERT_TRUE(made.set);
  EXPECT_TRUE(made.of(1, Kind::kChoice).empty());
  EXPECT_TRUE(made.is_certain(made.set->sections.at(0).begin));
}

TEST(PrefixEvents, AThreadNeedNotEnterASectionInWhichItWouldWait) {
  const Events made = solver_events(two_threads("  atomic_begin !1:11:1\n"
                                                "  %1 = load @x !1:12:1\n"
                                                "  %5 = eq %1, i32 0 !1:13:1\n"
                                                "  assume %5 !1:13:1\n"
                                                "  atomic_end !1:14:1\n",
                                                "  store i32 1, @x !1:21:1\n"));
  ASSERT_TRUE(made.set);
  ASSERT_EQ(made.of(1, Kind::kChoice).size(), 1U);
  const EventIndex choice = made.of(1, Kind::kChoice)[0];
  const StaticEvent& begin = made.at(made.set->sections.at(0).begin);
  EXPECT_TRUE(holds(made, begin.guard, {{choice, 1}}));
  EXPECT_FALSE(holds(made, begin.guard, {{choice, 0}}));
}

TEST(PrefixEvents, AccessesAreCutOnlyWhereTheyOverlap) {
  const std::string text =
      "module lp64\nfile 1 \"test.c\"\n"
      "global @s : 16 align 8\n"
      "func @left(%0 : ptr) -> ptr {\n  reg %1 : i64\n  reg %2 : ptr\nblock entry:\n"
      "  store i64 1, @s !1:3:1\n"
      "  %2 = ptradd @s, i64 8 !1:4:1\n"
      "  store i64 1, %2 !1:4:1\n"
      "  ret ptr 0 !1:5:1\n}\n"
      "func @main() -> i32 {\n  reg %0 : ptr\n  reg %1 : i32\n  reg %2 : ptr\nblock entry:\n"
      "  %0 = create(@left, ptr 0) !1:7:1\n"
      "  %2 = ptradd @s, i64 12 !1:8:1\n"
      "  %1 = load %2 !1:8:1\n"
      "  ret i32 0 !1:9:1\n}\n";
  const Events made = solver_events(text);
  ASSERT_TRUE(made.set);
  const std::vector<EventIndex> writes = made.of(1, Kind::kWrite);
  ASSERT_EQ(writes.size(), 3U); // the first is whole, the second in two pieces
  EXPECT_EQ(made.at(writes[0]).size, 8U);
  EXPECT_EQ(made.at(writes[1]).size, 4U);
  EXPECT_EQ(made.at(writes[1]).piece_of, made.at(writes[2]).piece_of);
}

} // namespace
} // namespace heddle::program_test
