// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// The order coherence leaves for the writes of one place, against all orders there are.
#include "engine/enumerate/place_order.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <numeric>
#include <vector>

namespace heddle::engine::enumerate {
namespace {

TEST(PlaceOrder, ClosesTransitively) {
  PlaceOrder order(4);
  order.add(0, 1);
  order.add(1, 3);
  ASSERT_TRUE(order.close());
  EXPECT_TRUE(order.is_before(0, 3));
  EXPECT_FALSE(order.is_before(3, 0));
  EXPECT_FALSE(order.is_before(0, 2));
  EXPECT_FALSE(order.is_before(2, 0));
}

TEST(PlaceOrder, ACycleIsSeen) {
  PlaceOrder order(3);
  order.add(0, 1);
  order.add(1, 2);
  order.add(2, 0);
  EXPECT_FALSE(order.close());
}

TEST(PlaceOrder, NothingComesBetween) {
  PlaceOrder order(4);
  order.add_adjacent(0, 1, 0b1000); // 3 may not come between, 2 may
  order.add(0, 3);
  order.add(0, 2);
  ASSERT_TRUE(order.close());
  EXPECT_TRUE(order.is_before(1, 3));
  EXPECT_FALSE(order.is_before(1, 2));
  PlaceOrder before(3);
  before.add_adjacent(0, 1, 0b100);
  before.add(2, 1);
  ASSERT_TRUE(before.close());
  EXPECT_TRUE(before.is_before(2, 0));
  PlaceOrder between(3);
  between.add_adjacent(0, 1, 0b100);
  between.add(0, 2);
  between.add(2, 1);
  EXPECT_FALSE(between.close());
}

TEST(PlaceOrder, FirstOfOthers) {
  PlaceOrder order(3);
  order.add_first(2, 0b011);
  order.add(0, 1);
  ASSERT_TRUE(order.close());
  EXPECT_TRUE(order.is_before(2, 0) && order.is_before(2, 1));
  order.add(1, 2);
  EXPECT_FALSE(order.close());
}

TEST(PlaceOrder, AsManyWritesAsThereMayBe) {
  PlaceOrder order(PlaceOrder::kMost);
  for (std::size_t i = 0; i + 1 < PlaceOrder::kMost; ++i)
    order.add(i, i + 1);
  ASSERT_TRUE(order.close());
  EXPECT_TRUE(order.is_before(0, PlaceOrder::kMost - 1));
  order.add(PlaceOrder::kMost - 1, 0);
  EXPECT_FALSE(order.close());
}

/// What it says holds in every total order that meets what was added, and there is none if it says
/// that there is none.
TEST(PlaceOrder, SaysOnlyWhatFollows) {
  EXPECT_TRUE(rc::check([] {
    const auto count = static_cast<std::size_t>(*rc::gen::inRange(1, 6));
    const auto some = [&] { return *rc::gen::inRange<std::size_t>(0, count); };
    PlaceOrder order(count);
    struct Added {
      std::size_t a, b;
      std::uint64_t others;
      bool is_adjacent;
    };
    std::vector<Added> added;
    for (int i = *rc::gen::inRange(0, 6); i > 0; --i) {
      const Added one{some(),
                      some(),
                      *rc::gen::inRange<std::uint64_t>(0, 1ULL << count),
                      *rc::gen::inRange(0, 2) == 1};
      if (one.a == one.b)
        continue;
      added.push_back(one);
      if (one.is_adjacent)
        order.add_adjacent(one.a, one.b, one.others);
      else
        order.add(one.a, one.b);
    }
    const bool is_possible = order.close();
    std::vector<std::size_t> position(count);
    std::iota(position.begin(), position.end(), 0);
    do {
      const bool meets = std::all_of(added.begin(), added.end(), [&](const Added& one) {
        if (position[one.a] >= position[one.b])
          return false;
        for (std::size_t i = 0; i < count && one.is_adjacent; ++i)
          if ((one.others >> i & 1U) != 0 && position[one.a] < position[i] &&
              position[i] < position[one.b])
            return false;
        return true;
      });
      if (!meets)
        continue;
      RC_ASSERT(is_possible);
      for (std::size_t i = 0; i < count; ++i)
        for (std::size_t j = 0; j < count; ++j)
          RC_ASSERT(!order.is_before(i, j) || position[i] < position[j]);
    } while (std::next_permutation(position.begin(), position.end()));
  }));
}

} // namespace
} // namespace heddle::engine::enumerate
