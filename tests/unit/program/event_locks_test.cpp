// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Locks and their kin as events for a solver: which words are touched, and what has to hold to go
// on.
#include "event_prefix_fixture.h"
#include "unit/check/programs.h"

namespace heddle::program_test {
namespace {

using check_test::two_threads;

/// The write to @x that comes after the synchronisation happens where the guard says so.
Term guard_after(const Events& made) {
  return made.at(made.of(1, Kind::kWrite).back()).guard;
}

const char* const kThenWrite = "  store i32 1, @x !1:18:1\n";

TEST(PrefixLocks, ANormalMutexIsOneUpdate) {
  const Events made = solver_events(two_threads(
      std::string("  mutex_lock(@lock) !1:11:1\n") + kThenWrite, "  store i32 1, @x !1:21:1\n"));
  ASSERT_TRUE(made.set);
  ASSERT_EQ(made.of(1, Kind::kRead).size(), 1U);
  const EventIndex owner = made.of(1, Kind::kRead)[0];
  ASSERT_EQ(made.set->amo.size(), 1U);
  EXPECT_EQ(made.set->amo[0].from, owner);
  EXPECT_TRUE(holds(made, guard_after(made), {{owner, 0}}));
  EXPECT_FALSE(holds(made, guard_after(made), {{owner, 3}}));
  EXPECT_FALSE(holds(made, guard_after(made), {{owner, 2}})); // waits for itself
}

TEST(PrefixLocks, ARecursiveMutexCountsInOneStep) {
  const Events made = solver_events(two_threads(
      std::string("  mutex_init(@lock, i32 1) !1:11:1\n  mutex_lock(@lock) !1:12:1\n") + kThenWrite,
      "  store i32 1, @x !1:21:1\n"));
  ASSERT_TRUE(made.set);
  const std::vector<EventIndex> reads = made.of(1, Kind::kRead); // owner, kind, depth
  ASSERT_EQ(reads.size(), 3U);
  EXPECT_NE(made.at(reads[0]).section, 0U);
  EXPECT_EQ(made.at(reads[0]).section, made.at(reads[2]).section);
  const Term after = guard_after(made);
  EXPECT_TRUE(holds(made, after, {{reads[0], 0}, {reads[1], 1}}));
  EXPECT_TRUE(holds(made, after, {{reads[0], 2}, {reads[1], 1}})); // once more
  EXPECT_TRUE(holds(made, after, {{reads[0], 2}, {reads[1], 2}})); // EDEADLK
  EXPECT_FALSE(holds(made, after, {{reads[0], 2}, {reads[1], 0}}));
  EXPECT_FALSE(holds(made, after, {{reads[0], 3}, {reads[1], 1}}));
  EXPECT_TRUE(made.set->sections.empty()); // no section of the program
}

TEST(PrefixLocks, TrylockNeverWaits) {
  const Events made = solver_events(two_threads(
      std::string("  %1 = mutex_trylock(@lock) !1:11:1\n") + "  store i32 %1, @x !1:18:1\n",
      "  store i32 1, @x !1:21:1\n"));
  ASSERT_TRUE(made.set);
  EXPECT_TRUE(made.is_constant(guard_after(made), true));
  const Term written = made.at(made.of(1, Kind::kWrite).back()).value;
  const auto result = [&](std::uint64_t owner) {
    return made.set->terms.evaluate(written, [&](std::uint64_t) { return owner; });
  };
  EXPECT_EQ(result(0), 0U);
  EXPECT_EQ(result(3), 16U); // EBUSY
}

TEST(PrefixLocks, ATimedLockMayRunOutOfTime) {
  const Events made =
      solver_events(two_threads(std::string("  mutex_timedlock(@lock) !1:11:1\n") + kThenWrite,
                                "  store i32 1, @x !1:21:1\n"));
  ASSERT_TRUE(made.set);
  const EventIndex late = made.of(1, Kind::kChoice).at(0);
  const EventIndex owner = made.of(1, Kind::kRead).at(0);
  EXPECT_TRUE(holds(made, guard_after(made), {{owner, 3}, {late, 1}}));
  EXPECT_FALSE(holds(made, guard_after(made), {{owner, 3}, {late, 0}}));
  // Then it does not take it.
  const StaticEvent& taken = made.at(made.of(1, Kind::kWrite).at(0));
  EXPECT_FALSE(holds(made, taken.guard, {{owner, 0}, {late, 1}}));
  EXPECT_TRUE(holds(made, taken.guard, {{owner, 0}, {late, 0}}));
}

TEST(PrefixLocks, ASemaphoreOfZeroWaits) {
  const Events made = solver_events(two_threads(
      std::string("  sem_wait(@lock) !1:11:1\n") + kThenWrite, "  store i32 1, @x !1:21:1\n"));
  ASSERT_TRUE(made.set);
  const EventIndex count = made.of(1, Kind::kRead).at(0);
  EXPECT_FALSE(holds(made, guard_after(made), {{count, 0}}));
  EXPECT_TRUE(holds(made, guard_after(made), {{count, 1}}));
}

TEST(PrefixLocks, AReaderWaitsForTheWriterOnly) {
  const Events made = solver_events(two_threads(
      std::string("  read_lock(@lock) !1:11:1\n") + kThenWrite, "  store i32 1, @x !1:21:1\n"));
  ASSERT_TRUE(made.set);
  const std::vector<EventIndex> reads = made.of(1, Kind::kRead); // writer, readers
  ASSERT_EQ(reads.size(), 2U);
  EXPECT_TRUE(holds(made, guard_after(made), {{reads[0], 0}, {reads[1], 4}}));
  EXPECT_FALSE(holds(made, guard_after(made), {{reads[0], 3}}));
  EXPECT_TRUE(holds(made, guard_after(made), {{reads[0], 2}})); // EDEADLK
}

TEST(PrefixLocks, AConditionWaitNeedsTheMutexAndTakesItBack) {
  const Events made =
      solver_events(two_threads(std::string("  cond_wait(@other, @lock) !1:11:1\n") + kThenWrite,
                                "  store i32 1, @x !1:21:1\n"));
  ASSERT_TRUE(made.set);
  const std::vector<EventIndex> reads = made.of(1, Kind::kRead);
  ASSERT_EQ(reads.size(), 2U);
  ASSERT_EQ(made.of(1, Kind::kCheck).size(), 1U);
  EXPECT_EQ(made.at(made.of(1, Kind::kCheck)[0]).fault, FaultKind::kBadSynchronisation);
  EXPECT_TRUE(holds(made, guard_after(made), {{reads[0], 2}, {reads[1], 0}}));
  EXPECT_FALSE(holds(made, guard_after(made), {{reads[0], 0}, {reads[1], 0}}));
  EXPECT_FALSE(holds(made, guard_after(made), {{reads[0], 2}, {reads[1], 3}}));
}

TEST(PrefixLocks, TheLastAtABarrierOpensIt) {
  const Events made = solver_events(two_threads(
      std::string("  barrier_wait(@lock) !1:11:1\n") + kThenWrite, "  store i32 1, @x !1:21:1\n"));
  ASSERT_TRUE(made.set);
  const std::vector<EventIndex> reads =
      made.of(1, Kind::kRead); // threshold, arrived, generation, later
  ASSERT_EQ(reads.size(), 4U);
  const Term after = guard_after(made);
  EXPECT_TRUE(holds(made, after, {{reads[0], 2}, {reads[1], 1}, {reads[2], 5}}));
  EXPECT_FALSE(holds(made, after, {{reads[0], 2}, {reads[1], 0}, {reads[2], 5}, {reads[3], 5}}));
  EXPECT_TRUE(holds(made, after, {{reads[0], 2}, {reads[1], 0}, {reads[2], 5}, {reads[3], 6}}));
  EXPECT_FALSE(holds(made, after, {{reads[0], 0}, {reads[1], 1}})); // never initialised
}

} // namespace
} // namespace heddle::program_test
