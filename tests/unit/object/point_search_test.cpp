// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "object/points/point_search.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace heddle::object {
namespace {

using history::Operation;

std::unique_ptr<history::SequentialObject> a_register() {
  return history::make_object(*history::find_object_kind("register"), {});
}

Operation write(std::int64_t value) {
  return {0, "write", value, true, {}};
}
Operation read(std::int64_t value) {
  return {1, "read", {}, true, value};
}

// Points 0 and 1 are accesses of writes, 2 and 3 of reads.
PassingRun early_write() {
  return {{{write(1), {{0, 1}, {1, 4}}}, {read(1), {{2, 2}, {3, 3}}}}, "early"};
}

TEST(PointSearch, OrderOfTheLastPassesExplainsOrNot) {
  const auto object = a_register();
  EXPECT_TRUE(explains({0, 2}, early_write(), *object));
  EXPECT_TRUE(explains({0, 3}, early_write(), *object));
  EXPECT_FALSE(explains({1, 2}, early_write(), *object));    // the read would come first
  EXPECT_FALSE(explains({0, 1, 2}, early_write(), *object)); // … since the last pass counts
  EXPECT_FALSE(explains({0}, early_write(), *object));       // the read passes none
}

TEST(PointSearch, ProposesWhatAllRunsAllow) {
  const auto object = a_register();
  PointSearch search(*object);
  EXPECT_EQ(search.next(), PointSet{}); // nobody has asked for anything
  search.add(early_write());
  EXPECT_EQ(search.next(), (PointSet{0, 2}));
  // The same accesses, but the first of the read comes too early.
  search.add({{{write(1), {{0, 2}, {1, 4}}}, {read(1), {{2, 1}, {3, 3}}}}, "early read"});
  EXPECT_EQ(search.next(), (PointSet{0, 3}));
  search.exclude({0, 3});
  EXPECT_EQ(search.next(), (PointSet{0, 2, 3}));
}

TEST(PointSearch, ASetIsASmallestOne) {
  const auto object = a_register();
  std::mt19937 random(7);
  for (int round = 0; round < 200; ++round) {
    constexpr std::size_t kPoints = 5;
    std::vector<PassingRun> runs;
    for (unsigned r = 0; r < 1 + random() % 3; ++r) {
      PassingRun run;
      std::size_t when = 0;
      run.calls = {{write(1), {}}, {read(static_cast<std::int64_t>(random() % 2)), {}}};
      for (unsigned p = 0; p < 3 + random() % 4; ++p)
        run.calls[random() % 2].passes.push_back({random() % kPoints, when++});
      runs.push_back(std::move(run));
    }
    std::optional<std::size_t> smallest;
    for (unsigned bits = 0; bits < 1U << kPoints; ++bits) {
      PointSet points;
      for (std::size_t i = 0; i < kPoints; ++i)
        if ((bits >> i & 1U) != 0)
          points.insert(i);
      const bool does = std::ranges::all_of(
          runs, [&](const PassingRun& run) { return explains(points, run, *object); });
      if (does && (!smallest || points.size() < *smallest))
        smallest = points.size();
    }
    PointSearch search(*object);
    for (const PassingRun& run : runs)
      search.add(run);
    const std::optional<PointSet> found = search.next();
    ASSERT_EQ(found.has_value(), smallest.has_value()) << round;
    if (!found)
      continue;
    EXPECT_EQ(found->size(), *smallest) << round;
    for (const PassingRun& run : runs)
      EXPECT_TRUE(explains(*found, run, *object)) << round;
  }
}

TEST(PointSearch, SaysWhyThereIsNone) {
  const auto object = a_register();
  PointSearch silent(*object);
  silent.add({{{write(1), {}}}, "write(1)"});
  EXPECT_EQ(silent.next(), std::nullopt);
  EXPECT_EQ(silent.why_none(), "in a run of write(1) write(1) makes no access that could be one");

  // The read returns what is written only after its last access.
  const PassingRun late{{{write(1), {{0, 3}}}, {read(1), {{2, 1}, {3, 2}}}}, "late"};
  EXPECT_FALSE(can_be_explained(late, *object));
  EXPECT_TRUE(can_be_explained(late, *object, 0)); // if the write could be earlier
  PointSearch helped(*object);
  helped.add(late);
  EXPECT_EQ(helped.next(), std::nullopt);
  EXPECT_NE(helped.why_none().find("takes effect at none of its own accesses"), std::string::npos);

  // Each run has points, but no set does for both.
  PointSearch torn(*object);
  torn.add({{{write(1), {{0, 1}}}, {read(1), {{2, 2}}}}, "after"});
  torn.add({{{write(1), {{0, 1}}}, {read(0), {{3, 0}, {2, 2}}}}, "before"});
  EXPECT_EQ(torn.next(), std::nullopt);
  EXPECT_NE(torn.why_none().find("explain all of 2 runs"), std::string::npos) << torn.why_none();
}

} // namespace
} // namespace heddle::object
