// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Threads and locks as events, and what has none and is refused.
#include "event_set_fixture.h"
#include "unit/check/programs.h"

namespace heddle::program_test {
namespace {

// Threads

TEST(EventSet, CreateAndJoinAreAnnouncedIfMainDoesMore) {
  const std::string body = "  store.atomic.relaxed i32 1, @x !1:11:1\n";
  const auto hidden = [](const Events& made, Kind kind) {
    std::vector<EventIndex> found;
    for (std::size_t i = 0; i < made.set->events.size(); ++i)
      if (made.set->events[i].is_hidden && made.set->events[i].kind == kind)
        found.push_back(static_cast<EventIndex>(i));
    return found;
  };
  const Events quiet = from_ir(check_test::two_threads(body, body));
  ASSERT_TRUE(quiet.set);
  EXPECT_TRUE(hidden(quiet, Kind::kRead).empty() && hidden(quiet, Kind::kWrite).empty());
  const Events made =
      from_ir(check_test::two_threads(body, body, "  %1 = load.atomic.relaxed @x !1:35:1\n"));
  ASSERT_TRUE(made.set);
  // Main tells each of two threads that it may start; each tells that it has ended, as main does.
  const std::vector<EventIndex> writes = hidden(made, Kind::kWrite);
  const std::vector<EventIndex> reads = hidden(made, Kind::kRead);
  EXPECT_EQ(writes.size(), 5U);
  EXPECT_EQ(reads.size(), 4U);
  for (const EventIndex read : reads) {
    EXPECT_EQ(made.at(read).order, Order::kAcquire);
    std::size_t sources = 0;
    for (const EventIndex write : writes)
      if (made.address(write) == made.address(read)) {
        ++sources;
        EXPECT_EQ(made.at(write).order, Order::kRelease);
        EXPECT_NE(made.at(write).thread, made.at(read).thread);
      }
    EXPECT_EQ(sources, 1U);
    EXPECT_GE(made.address(read), hidden_address(*made.program, 0));
  }
  EXPECT_EQ(made.of(0, Kind::kAssume).size(), 2U);
  EXPECT_EQ(made.of(1, Kind::kAssume).size(), 1U);
}

TEST(EventSet, ALockIsAnUpdateOfItsWord) {
  const std::string body = "  mutex_lock(@lock) !1:11:1\n  store i32 1, @x !1:12:1\n"
                           "  mutex_unlock(@lock) !1:13:1\n";
  const Events made = from_ir(check_test::two_threads(body, body));
  ASSERT_TRUE(made.set) << made.set.error().to_string();
  EXPECT_EQ(made.set->amo.size(), 2U);
  for (const StaticEdge& edge : made.set->amo) {
    EXPECT_EQ(made.at(edge.from).order, Order::kAcquire);
    EXPECT_FALSE(made.is_certain(edge.to)); // only where it was free
  }
  ASSERT_EQ(made.of(1, Kind::kWrite).size(), 3U);
  EXPECT_EQ(made.at(made.of(1, Kind::kWrite)[2]).order, Order::kRelease);
}

TEST(EventSet, AReaderAcquiresFromWhatWritersTell) {
  const Events made =
      from_ir(check_test::two_threads("  read_lock(@lock) !1:11:1\n  rw_unlock(@lock) !1:12:1\n",
                                      "  write_lock(@lock) !1:21:1\n  rw_unlock(@lock) !1:22:1\n"));
  ASSERT_TRUE(made.set) << made.set.error().to_string();
  EXPECT_EQ(made.set->amo.size(), 4U);
  // The reader: its update, what it acquires from, the update that gives the lock back.
  const std::vector<EventIndex> reads = made.of(1, Kind::kRead);
  ASSERT_EQ(reads.size(), 3U);
  EXPECT_EQ(made.at(reads[0]).order, Order::kRelaxed);
  EXPECT_EQ(made.at(reads[1]).order, Order::kAcquire);
  EXPECT_EQ(made.at(reads[2]).order, Order::kRelease);
  EXPECT_NE(made.address(reads[0]), made.address(reads[1]));
  // The writer acquires by its update, and tells its turn.
  EXPECT_EQ(made.at(made.of(2, Kind::kRead)[0]).order, Order::kAcquire);
  const std::vector<EventIndex> writes = made.of(2, Kind::kWrite);
  EXPECT_EQ(made.address(writes.back()), made.address(reads[1]));
  EXPECT_EQ(made.at(writes.back()).order, Order::kRelease);
}

TEST(EventSet, AConditionWaitGivesTheMutexUpAndTakesItBack) {
  const Events made = from_ir(
      check_test::two_threads("  cond_wait(@x, @lock) !1:11:1\n", "  cond_signal(@x) !1:21:1\n"));
  ASSERT_TRUE(made.set) << made.set.error().to_string();
  const std::vector<EventIndex> writes = made.of(1, Kind::kWrite);
  ASSERT_EQ(writes.size(), 2U);
  EXPECT_EQ(made.at(writes[0]).order, Order::kRelease);
  EXPECT_TRUE(made.is_certain(writes[0]));
  EXPECT_FALSE(made.is_certain(writes[1])); // only where it is free
  EXPECT_TRUE(made.at(made.of(1, Kind::kRead)[0]).is_probe);
  EXPECT_TRUE(made.at(made.of(2, Kind::kRead)[0]).is_probe);
}

// Refusals

void expect_refused(const std::string& text, const std::string& what) {
  const Events made = from_ir(text);
  ASSERT_TRUE(made.program != nullptr);
  ASSERT_FALSE(made.set) << what;
  EXPECT_EQ(made.set.error().code, "PRG-010");
  EXPECT_NE(made.set.error().message.find(what), std::string::npos) << made.set.error().message;
  EXPECT_NE(made.set.error().message.find("test.c:"), std::string::npos)
      << made.set.error().message;
}

TEST(EventSet, WhatHasNoEventsIsRefusedByName) {
  expect_refused(
      check_test::two_threads("  jump loop !1:11:1\nblock loop:\n  store.volatile i32 1, "
                              "@x !1:12:1\n  jump loop !1:13:1\nblock out:\n",
                              ""),
      "a loop");
  expect_refused(check_test::two_threads("  atomic_begin !1:11:1\n  store i32 1, @x !1:12:1\n"
                                         "  atomic_end !1:13:1\n",
                                         "  store i32 1, @x !1:21:1\n"),
                 "an atomic section");
}

TEST(EventSet, WhatCanNeverHaveEventsIsKnownBeforehand) {
  const Events made = from_ir(check_test::two_threads("  atomic_begin !1:11:1\n"
                                                      "  atomic_end !1:12:1\n",
                                                      ""));
  ASSERT_TRUE(made.program != nullptr);
  const std::optional<std::string> why = why_no_events(*made.program);
  ASSERT_TRUE(why);
  EXPECT_NE(why->find("atomic sections"), std::string::npos);
  const Events fine = from_ir(check_test::store_buffering());
  ASSERT_TRUE(fine.program != nullptr);
  EXPECT_FALSE(why_no_events(*fine.program));
}

TEST(EventSet, FirstValues) {
  const Events made = from_litmus(R"(X86 init
{ x=258; y=7; }
 P0          | P1          ;
 MOV [x],$1  | MOV [y],$1  ;
 MOV EAX,[y] | MOV EAX,[x] ;
exists (0:EAX=0)
)");
  ASSERT_TRUE(made.set);
  const std::uint64_t x = made.address(made.of(1, Kind::kWrite)[0]);
  EXPECT_EQ(initial_bytes(*made.set, x, 4), 258U);
  EXPECT_EQ(initial_bytes(*made.set, x, 1), 2U);
  EXPECT_EQ(initial_bytes(*made.set, x + 1, 1), 1U);
  EXPECT_EQ(initial_bytes(*made.set, made.address(made.of(2, Kind::kWrite)[0]), 4), 7U);
  EXPECT_FALSE(initial_bytes(*made.set, 1, 4));
  EXPECT_EQ(initial_bytes(*made.set, hidden_address(*made.program, 3), 4), 0U);
}

} // namespace
} // namespace heddle::program_test
