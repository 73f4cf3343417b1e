// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "driver/pipeline/fence_search.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace heddle::driver {
namespace {

using transform::FenceKind;
using Places = std::set<std::size_t>;

bool hits_all(const Places& chosen, const std::vector<Places>& sets) {
  for (const Places& set : sets) {
    bool is_hit = false;
    for (const std::size_t element : set)
      is_hit = is_hit || chosen.contains(element);
    if (!is_hit)
      return false;
  }
  return true;
}

TEST(FenceSearch, AHittingSetIsASmallestOne) {
  constexpr unsigned kElements = 7;
  std::mt19937 random(5);
  for (int round = 0; round < 300; ++round) {
    std::vector<Places> sets(random() % 6);
    for (Places& set : sets)
      for (unsigned i = 0; i < 1 + random() % 3; ++i)
        set.insert(random() % kElements);
    std::size_t smallest = kElements;
    for (unsigned bits = 0; bits < 1U << kElements; ++bits) {
      Places chosen;
      for (unsigned i = 0; i < kElements; ++i)
        if ((bits >> i & 1U) != 0)
          chosen.insert(i);
      if (hits_all(chosen, sets))
        smallest = std::min(smallest, chosen.size());
    }
    const Places found = smallest_hitting_set(sets);
    EXPECT_TRUE(hits_all(found, sets));
    EXPECT_EQ(found.size(), smallest);
  }
}

/// A program whose runs pass these places; fences that only order stores are enough at
/// `store_places`.
TryFences program_of(std::vector<Places> runs, Places store_places = {}) {
  return [runs = std::move(runs), store_places = std::move(store_places)](
             const std::vector<FenceKind>& kinds) -> Result<FenceTrial> {
    for (const Places& run : runs) {
      bool is_hit = false;
      for (const std::size_t place : run)
        is_hit = is_hit || kinds[place] == FenceKind::kFull ||
                 (kinds[place] == FenceKind::kStoreStore && store_places.contains(place));
      if (!is_hit)
        return FenceTrial{FencesMissing{run}};
    }
    return FenceTrial{FencesSuffice{}};
  };
}

TEST(FenceSearch, FindsASmallestSet) {
  // 1 hits the first two, and 4 the others: greedy from the left would take three.
  const Result<FenceAdvice> advice =
      search_fences(6, false, program_of({{0, 1}, {1, 2}, {2, 4}, {3, 4}}));
  ASSERT_TRUE(advice);
  EXPECT_EQ(advice->outcome, FenceAdvice::Outcome::kFound);
  EXPECT_EQ(std::count(advice->kinds.begin(), advice->kinds.end(), FenceKind::kFull), 2);
  EXPECT_EQ(advice->kinds[1], FenceKind::kFull);
  EXPECT_EQ(advice->kinds[4], FenceKind::kFull);
}

TEST(FenceSearch, CheaperFencesTakeTheirPlace) {
  const Result<FenceAdvice> advice = search_fences(3, true, program_of({{0}, {2}}, {2}));
  ASSERT_TRUE(advice);
  EXPECT_EQ(advice->kinds,
            (std::vector<FenceKind>{FenceKind::kFull, FenceKind::kNone, FenceKind::kStoreStore}));
}

TEST(FenceSearch, SaysWhenNoneHelpsOrItIsNotKnown) {
  const Result<FenceAdvice> none = search_fences(3, false, program_of({{0}, {}}));
  ASSERT_TRUE(none);
  EXPECT_EQ(none->outcome, FenceAdvice::Outcome::kNone);
  const Result<FenceAdvice> unknown =
      search_fences(3, false, [](const std::vector<FenceKind>&) -> Result<FenceTrial> {
        return FenceTrial{FencesUndecided{"out of time"}};
      });
  ASSERT_TRUE(unknown);
  EXPECT_EQ(unknown->outcome, FenceAdvice::Outcome::kUndecided);
  EXPECT_EQ(unknown->why, "out of time");
}

} // namespace
} // namespace heddle::driver
