// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Sets and relations against naive ones: std::set of numbers and of pairs.
#include "relation/bit_matrix.h"
#include "relation/bit_set.h"
#include "support/rng.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <set>

namespace heddle::relation {
namespace {

using Pair = std::pair<std::size_t, std::size_t>;
using NaiveSet = std::set<std::size_t>;
using NaiveRelation = std::set<Pair>;

// Around the word size, and empty.
std::size_t random_bound(Rng& rng) {
  constexpr std::size_t kBounds[] = {0, 1, 2, 3, 5, 8, 13, 63, 64, 65, 70};
  return kBounds[rng.below(std::size(kBounds))];
}

NaiveSet random_set(Rng& rng, std::size_t bound) {
  NaiveSet result;
  for (std::size_t i = 0; i < bound; ++i)
    if (rng.chance(1, 3))
      result.insert(i);
  return result;
}

/// About one or two pairs an element: sparse enough to be acyclic at times.
NaiveRelation random_relation(Rng& rng, std::size_t bound) {
  NaiveRelation result;
  const std::uint64_t count = bound == 0 ? 0 : rng.below(2 * bound + 1);
  const bool forward_only = rng.chance(1, 3);
  for (std::uint64_t i = 0; i < count; ++i) {
    Pair pair{rng.below(bound), rng.below(bound)};
    if (forward_only && pair.second < pair.first)
      std::swap(pair.first, pair.second);
    if (forward_only && pair.second == pair.first)
      continue;
    result.insert(pair);
  }
  return result;
}

BitSet to_bits(const NaiveSet& set, std::size_t bound) {
  BitSet result(bound);
  for (const std::size_t element : set)
    result.insert(element);
  return result;
}

BitMatrix to_bits(const NaiveRelation& relation, std::size_t bound) {
  BitMatrix result(bound);
  for (const auto& [from, to] : relation)
    result.insert(from, to);
  return result;
}

NaiveSet naive(const BitSet& set) {
  const auto elements = set.elements();
  return {elements.begin(), elements.end()};
}

NaiveRelation naive(const BitMatrix& matrix) {
  const auto pairs = matrix.pairs();
  return {pairs.begin(), pairs.end()};
}

NaiveRelation compose(const NaiveRelation& a, const NaiveRelation& b) {
  NaiveRelation result;
  for (const auto& [from, middle] : a)
    for (const auto& [other, to] : b)
      if (middle == other)
        result.emplace(from, to);
  return result;
}

NaiveRelation closure(NaiveRelation relation) {
  while (true) {
    NaiveRelation larger = relation;
    larger.merge(compose(relation, relation));
    if (larger == relation)
      return relation;
    relation = std::move(larger);
  }
}

bool has_loop(const NaiveRelation& relation) {
  for (const auto& [from, to] : relation)
    if (from == to)
      return true;
  return false;
}

TEST(BitSet, AgreesWithASetOfNumbers) {
  EXPECT_TRUE(rc::check("sets", [](std::uint64_t seed) {
    Rng rng(seed);
    const std::size_t bound = random_bound(rng);
    const NaiveSet a = random_set(rng, bound);
    const NaiveSet b = random_set(rng, bound);
    const BitSet x = to_bits(a, bound);
    const BitSet y = to_bits(b, bound);
    RC_ASSERT(naive(x) == a);
    RC_ASSERT(x.size() == a.size());
    RC_ASSERT(x.empty() == a.empty());
    NaiveSet both;
    NaiveSet either = a;
    NaiveSet only_a;
    NaiveSet neither;
    either.insert(b.begin(), b.end());
    for (std::size_t i = 0; i < bound; ++i) {
      RC_ASSERT(x.contains(i) == a.contains(i));
      if (a.contains(i) && b.contains(i))
        both.insert(i);
      if (a.contains(i) && !b.contains(i))
        only_a.insert(i);
      if (!a.contains(i))
        neither.insert(i);
      const auto next = a.lower_bound(i);
      RC_ASSERT(x.next(i) == (next == a.end() ? std::nullopt : std::optional(*next)));
    }
    RC_ASSERT(naive(x | y) == either);
    RC_ASSERT(naive(x & y) == both);
    RC_ASSERT(naive(x - y) == only_a);
    RC_ASSERT(naive(x.complement()) == neither);
    RC_ASSERT(x.intersects(y) == !both.empty());
    RC_ASSERT(x.is_subset_of(y) == only_a.empty());
    RC_ASSERT(x.complement().complement() == x);
    RC_ASSERT(BitSet::full(bound).size() == bound);
    BitSet z = x;
    for (const std::size_t element : b)
      z.erase(element);
    RC_ASSERT(z == x - y);
    z.clear();
    RC_ASSERT(z.empty());
  }));
}

TEST(BitMatrix, AgreesWithASetOfPairs) {
  EXPECT_TRUE(rc::check("relations", [](std::uint64_t seed) {
    Rng rng(seed);
    const std::size_t bound = random_bound(rng);
    const NaiveRelation a = random_relation(rng, bound);
    const NaiveRelation b = random_relation(rng, bound);
    const NaiveSet s = random_set(rng, bound);
    const NaiveSet t = random_set(rng, bound);
    const BitMatrix x = to_bits(a, bound);
    const BitMatrix y = to_bits(b, bound);
    RC_ASSERT(naive(x) == a);
    RC_ASSERT(x.size() == a.size());
    RC_ASSERT(x.empty() == a.empty());
    NaiveRelation both;
    NaiveRelation either = a;
    NaiveRelation only_a;
    NaiveRelation inverse;
    NaiveRelation restricted;
    NaiveSet domain;
    NaiveSet range;
    either.insert(b.begin(), b.end());
    for (const auto& [from, to] : a) {
      (b.contains({from, to}) ? both : only_a).emplace(from, to);
      inverse.emplace(to, from);
      if (s.contains(from) && t.contains(to))
        restricted.emplace(from, to);
      domain.insert(from);
      range.insert(to);
    }
    RC_ASSERT(naive(x | y) == either);
    RC_ASSERT(naive(x & y) == both);
    RC_ASSERT(naive(x - y) == only_a);
    RC_ASSERT(naive(x.inverse()) == inverse);
    RC_ASSERT(naive(x.compose(y)) == compose(a, b));
    RC_ASSERT(naive(x.restrict(to_bits(s, bound), to_bits(t, bound))) == restricted);
    RC_ASSERT(naive(x.domain()) == domain);
    RC_ASSERT(naive(x.range()) == range);
    RC_ASSERT(x.is_subset_of(y) == only_a.empty());
    RC_ASSERT(x.is_irreflexive() == !has_loop(a));
    RC_ASSERT(x.complement().size() == bound * bound - a.size());
    RC_ASSERT((x.complement() & x).empty());
    NaiveRelation reflexive = a;
    for (std::size_t i = 0; i < bound; ++i)
      reflexive.emplace(i, i);
    RC_ASSERT(naive(x.reflexive_closure()) == reflexive);
    BitMatrix z = x;
    for (const auto& [from, to] : b)
      z.erase(from, to);
    RC_ASSERT(z == x - y);
  }));
}

// Closures are made in another way where there are many elements: orders, with cycles in them.
TEST(BitMatrix, ClosuresOfManyElementsAgreeWithBreadthFirstSearch) {
  EXPECT_TRUE(rc::check("large closures", [](std::uint64_t seed) {
    Rng rng(seed);
    const std::size_t bound = 128 + rng.below(80);
    BitMatrix relation(bound);
    const std::uint64_t pairs = rng.below(4 * bound);
    for (std::uint64_t i = 0; i < pairs; ++i) {
      const std::size_t from = rng.below(bound);
      const std::size_t to = rng.below(bound);
      const bool goes_back = rng.chance(1, 20);
      relation.insert(goes_back ? std::max(from, to) : std::min(from, to),
                      goes_back ? std::min(from, to) : std::max(from, to));
    }
    const BitMatrix closure = relation.transitive_closure();
    for (std::size_t from = 0; from < bound; ++from)
      RC_ASSERT(closure.row(from) == relation.reachable(relation.row(from)));
    RC_ASSERT(closure.transitive_closure() == closure);
  }));
}

TEST(BitMatrix, ClosureReachabilityAndCyclesAgreeWithTheNaiveClosure) {
  EXPECT_TRUE(rc::check("closures", [](std::uint64_t seed) {
    Rng rng(seed);
    const std::size_t bound = random_bound(rng) % 24;
    const NaiveRelation a = random_relation(rng, bound);
    const NaiveSet sources = random_set(rng, bound);
    const BitMatrix x = to_bits(a, bound);
    const NaiveRelation plus = closure(a);
    RC_ASSERT(naive(x.transitive_closure()) == plus);
    RC_ASSERT(x.transitive_closure().is_transitive());
    RC_ASSERT(x.is_transitive() == (plus == a));
    RC_ASSERT(x.is_acyclic() == !has_loop(plus));
    NaiveSet reached = sources;
    for (const auto& [from, to] : plus)
      if (sources.contains(from))
        reached.insert(to);
    RC_ASSERT(naive(x.reachable(to_bits(sources, bound))) == reached);

    // The length of the shortest cycle is the least power of the relation with a loop.
    const std::vector<std::size_t> cycle = x.shortest_cycle();
    std::size_t length = 0;
    NaiveRelation power = a;
    for (std::size_t i = 1; i <= bound && length == 0; ++i) {
      if (has_loop(power))
        length = i;
      power = compose(power, a);
    }
    RC_ASSERT(cycle.size() == length);
    for (std::size_t i = 0; i < cycle.size(); ++i)
      RC_ASSERT(x.contains(cycle[i], cycle[(i + 1) % cycle.size()]));
  }));
}

TEST(BitMatrix, MakesIdentitiesAndProducts) {
  BitSet odd(5);
  odd.insert(1);
  odd.insert(3);
  EXPECT_EQ(naive(BitMatrix::identity_on(odd)), (NaiveRelation{{1, 1}, {3, 3}}));
  EXPECT_EQ(BitMatrix::identity(5).size(), 5U);
  BitSet zero(5);
  zero.insert(0);
  EXPECT_EQ(naive(BitMatrix::product(odd, zero)), (NaiveRelation{{1, 0}, {3, 0}}));
}

TEST(BitMatrix, FindsTheShorterOfTwoCycles) {
  const BitMatrix relation = to_bits(NaiveRelation{{0, 1}, {1, 2}, {2, 0}, {3, 4}, {4, 3}}, 5);
  EXPECT_EQ(relation.shortest_cycle(), (std::vector<std::size_t>{3, 4}));
}

} // namespace
} // namespace heddle::relation
