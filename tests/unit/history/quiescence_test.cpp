// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "history/linearize.h"
#include "history/quiescence.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <random>

namespace heddle::history {
namespace {

using What = Moment::What;

Operation write(std::uint32_t thread, std::int64_t value) {
  return {thread, "write", value, true, {}};
}
Operation read(std::uint32_t thread, std::int64_t value) {
  return {thread, "read", {}, true, value};
}

std::vector<Precedences> contradictions(const std::vector<Operation>& operations) {
  const std::unique_ptr<SequentialObject> object = make_object(*find_object_kind("register"), {});
  const auto found = quiescent_contradictions_of(operations, *object, 100'000);
  EXPECT_TRUE(found);
  return *found;
}

TEST(Quiescence, AMomentWithoutOperationsCounts) {
  const std::vector<Precedences> expected = {{{{0, What::kReturn}, {1, What::kCall}}}};
  EXPECT_EQ(contradictions({write(0, 1), read(1, 0)}), expected);
  // One thread alone always has such moments.
  EXPECT_EQ(contradictions({write(0, 1), read(0, 0)}), std::vector<Precedences>{{}});
  EXPECT_EQ(contradictions({read(0, 7)}), std::vector<Precedences>{{}});
  EXPECT_TRUE(contradictions({write(0, 1), read(0, 1)}).empty());
}

TEST(Quiescence, TheOrderOfAThreadCountsOnlyThere) {
  // The reads come in the wrong order. That is allowed as long as the write of the other thread is
  // under way from before the second one on, or until after the first.
  const std::vector<Operation> operations = {write(0, 1), read(1, 1), read(1, 0)};
  for (const Precedences& together : contradictions(operations))
    EXPECT_FALSE(together.empty());
  EXPECT_FALSE(contradictions(operations).empty());
}

TEST(Quiescence, TooManyAreNotGuessed) {
  std::vector<Operation> operations;
  for (std::uint32_t thread = 0; thread < 4; ++thread)
    operations.push_back(write(thread, thread));
  const std::unique_ptr<SequentialObject> object = make_object(*find_object_kind("register"), {});
  EXPECT_FALSE(quiescent_contradictions_of(operations, *object, 10));
}

/// A history is quiescently consistent exactly if it shows none of the contradictions of its
/// results.
TEST(Quiescence, AgreesWithTheSearchOnRandomHistories) {
  std::mt19937 random(11);
  const std::unique_ptr<SequentialObject> object = make_object(*find_object_kind("register"), {});
  unsigned bad = 0;
  for (unsigned round = 0; round < 600; ++round) {
    std::vector<Operation> operations;
    for (std::uint32_t thread = 0; thread < 2; ++thread)
      for (unsigned i = 0; i < 2; ++i)
        operations.push_back(random() % 2 == 0
                                 ? write(thread, static_cast<std::int64_t>(operations.size()) + 1)
                                 : read(thread, static_cast<std::int64_t>(random() % 4)));
    std::vector<Event> events;
    std::uint32_t next[2] = {0, 4};
    while (next[0] < 4 || next[1] < 8) {
      const std::uint32_t thread = next[0] == 4 ? 1 : next[1] == 8 ? 0 : random() % 2;
      const std::uint32_t event = next[thread]++;
      events.push_back(
          {event % 2 == 0 ? Event::Kind::kInvocation : Event::Kind::kResponse, event / 2});
    }
    const History history = from_events(operations, events);
    const auto found = contradictions(operations);
    const bool shows_one = std::ranges::any_of(found, [&](const Precedences& together) {
      return std::ranges::all_of(together, [&](const Precedence& one) {
        return (history.before[one.second.operation] >> one.first.operation & 1U) != 0;
      });
    });
    const bool is_explained =
        linearize(with_order_of(history, Criterion::kQuiescent), *object).has_value();
    EXPECT_EQ(shows_one, !is_explained) << round;
    bad += is_explained ? 0 : 1;
  }
  EXPECT_GT(bad, 50U);
  EXPECT_LT(bad, 550U);
}

} // namespace
} // namespace heddle::history
