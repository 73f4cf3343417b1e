// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// The checker's happens-before: for each way two threads can be ordered, the ordered program has no
// racing run and the one with the order taken away has one.
#include "unit/check/programs.h"
#include "unit/check/ready_program.h"

#include <gtest/gtest.h>

namespace heddle::check_test {
namespace {

using check::Ground;
using check::Replayer;

bool has_racing_run(const std::string& text, const std::string& model = "sc") {
  const ReadyProgram ready(text, model);
  return find_run(
             ready.task(spec::Property::kRace),
             [](const Ground&, const Replayer& replayer) { return !replayer.races().empty(); },
             30)
      .has_value();
}

/// Left writes x and announces it in y; right reads x if y says so.
std::string message(const std::string& announce, const std::string& look) {
  return two_threads("  store i32 1, @x\n" + announce,
                     look + "  %5 = ne %1, i32 0\n  branch %5, there, missing\nblock there:\n"
                            "  %2 = load @x\n  jump missing\nblock missing:\n");
}

TEST(Race, PlainAccessesOfTwoThreads) {
  EXPECT_TRUE(has_racing_run(two_threads("  store i32 1, @x\n", "  %1 = load @x\n")));
  EXPECT_FALSE(has_racing_run(two_threads("  %1 = load @x\n", "  %1 = load @x\n")));
  EXPECT_FALSE(has_racing_run(two_threads("  store i32 1, @x\n", "  store i32 1, @y\n")));
}

TEST(Race, AtomicsDoNotRaceButVolatilesDo) {
  EXPECT_FALSE(has_racing_run(
      two_threads("  store.atomic.relaxed i32 1, @x\n", "  %1 = load.atomic.relaxed @x\n")));
  EXPECT_TRUE(
      has_racing_run(two_threads("  store.volatile i32 1, @x\n", "  %1 = load.volatile @x\n")));
  EXPECT_TRUE(
      has_racing_run(two_threads("  store i32 1, @x\n", "  %1 = load.atomic.seq_cst @x\n")));
}

TEST(Race, OverlapInOneByteIsEnough) {
  EXPECT_TRUE(has_racing_run(two_threads("  store i8 1, @x+3\n", "  %1 = load @x\n")));
}

TEST(Race, JoiningOrdersCreatingOrders) {
  EXPECT_FALSE(has_racing_run(two_threads("  store i32 1, @x\n", "", "  %1 = load @x\n")));
}

TEST(Race, OneLockOrdersTwoDoNot) {
  const auto locked = [](const std::string& lock, const std::string& body) {
    return "  mutex_lock(@" + lock + ")\n" + body + "  mutex_unlock(@" + lock + ")\n";
  };
  EXPECT_FALSE(has_racing_run(
      two_threads(locked("lock", "  store i32 1, @x\n"), locked("lock", "  store i32 2, @x\n"))));
  EXPECT_TRUE(has_racing_run(
      two_threads(locked("lock", "  store i32 1, @x\n"), locked("other", "  store i32 2, @x\n"))));
}

TEST(Race, ReadLocksDoNotOrderReaders) {
  const std::string write = "  read_lock(@lock)\n  store i32 1, @x\n  rw_unlock(@lock)\n";
  const std::string exclusive = "  write_lock(@lock)\n  store i32 1, @x\n  rw_unlock(@lock)\n";
  EXPECT_TRUE(has_racing_run(two_threads(write, write)));
  EXPECT_FALSE(has_racing_run(two_threads(exclusive, write)));
}

TEST(Race, ReleaseAndAcquireOrderRelaxedDoesNot) {
  EXPECT_FALSE(has_racing_run(
      message("  store.atomic.release i32 1, @y\n", "  %1 = load.atomic.acquire @y\n")));
  EXPECT_TRUE(has_racing_run(
      message("  store.atomic.relaxed i32 1, @y\n", "  %1 = load.atomic.acquire @y\n")));
  EXPECT_TRUE(has_racing_run(
      message("  store.atomic.release i32 1, @y\n", "  %1 = load.atomic.relaxed @y\n")));
  EXPECT_FALSE(has_racing_run(
      message("  store.atomic.seq_cst i32 1, @y\n", "  %1 = load.atomic.seq_cst @y\n")));
}

TEST(Race, FencesOrderRelaxedAccesses) {
  const std::string release = "  fence.atomic.release\n  store.atomic.relaxed i32 1, @y\n";
  const std::string acquire = "  %1 = load.atomic.relaxed @y\n  fence.atomic.acquire\n";
  EXPECT_FALSE(has_racing_run(message(release, acquire)));
  EXPECT_TRUE(has_racing_run(message(release, "  %1 = load.atomic.relaxed @y\n")));
  EXPECT_TRUE(has_racing_run(
      message("  store.atomic.relaxed i32 1, @y\n  fence.atomic.release\n", acquire)));
}

TEST(Race, AReleaseSequenceGoesOnThroughALaterRelaxedStoreOfTheThread) {
  EXPECT_FALSE(
      has_racing_run(message("  store.atomic.release i32 0, @y\n  store.atomic.relaxed i32 1, @y\n",
                             "  %1 = load.atomic.acquire @y\n")));
}

TEST(Race, LoweringAddsNoOrderOfItsOwn) {
  // Under pso a release store becomes a fence and a store; the fence must not order later relaxed
  // stores to other places.
  const std::string text = two_threads("  store i32 1, @x\n  store.atomic.release i32 1, @other\n"
                                       "  store i32 2, @x\n  store.atomic.relaxed i32 1, @y\n",
                                       "  %1 = load.atomic.acquire @y\n  %5 = ne %1, i32 0\n"
                                       "  branch %5, there, missing\nblock there:\n  %2 = load @x\n"
                                       "  jump missing\nblock missing:\n");
  EXPECT_TRUE(has_racing_run(text, "sc"));
}

TEST(Race, AtomicSectionsExcludeEachOther) {
  const auto section = [](const std::string& body) {
    return "  atomic_begin\n" + body + "  atomic_end\n";
  };
  EXPECT_FALSE(
      has_racing_run(two_threads(section("  store i32 1, @x\n"), section("  store i32 2, @x\n"))));
  EXPECT_TRUE(has_racing_run(two_threads(section("  store i32 1, @x\n"), "  store i32 2, @x\n")));
}

} // namespace
} // namespace heddle::check_test
