// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Arrays in terms against lists of values.
#include "logic/arrays.h"
#include "support/rng.h"
#include "unit/logic/random_arrays.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <map>

namespace heddle::logic::test {
namespace {

/// With elements looked up in what the symbols hold.
std::uint64_t evaluate(RandomArrays& random, Term term, const ConcreteState& state) {
  const TermStore& terms = random.terms();
  std::map<std::uint64_t, std::uint64_t> known; // by number; variables were made first
  for (std::size_t i = 0; i < state.vectors.size(); ++i)
    known[i] = state.vectors[i];
  for (std::size_t i = 0; i < state.bools.size(); ++i)
    known[state.vectors.size() + i] = state.bools[i];
  const auto lookup = [&](std::uint64_t number) { return known.at(number); };
  for (const Select& select : random.arrays().selects()) {
    const auto symbol = std::ranges::find(random.symbols(), select.symbol);
    const auto place = static_cast<std::size_t>(symbol - random.symbols().begin());
    known[terms.node(select.variable).value] =
        state.symbols[place][terms.evaluate(select.index, lookup)];
  }
  return terms.evaluate(term, lookup);
}

TEST(ArraysRandom, SelectsAreWhatListsHold) {
  EXPECT_TRUE(rc::check("selects", [](std::uint64_t seed) {
    Rng rng(seed);
    RandomArrays random(rng, 2, 2, 2);
    random.add_steps(25);
    for (int i = 0; i < 5; ++i)
      random.add_select();
    for (int trial = 0; trial < 20; ++trial) {
      const ConcreteState state = random.random_state();
      const RandomArrays::Values expected = random.values(state);
      for (std::size_t i = 0; i < random.vectors().size(); ++i)
        RC_ASSERT(evaluate(random, random.vectors()[i], state) == expected.vectors[i]);
      for (std::size_t i = 0; i < random.bools().size(); ++i)
        RC_ASSERT(evaluate(random, random.bools()[i], state) == expected.bools[i]);
    }
  }));
}

TEST(ArraysRandom, SubstitutedTermsAreTermsOfTheOtherState) {
  EXPECT_TRUE(rc::check("substitute", [](std::uint64_t seed) {
    Rng rng(seed);
    RandomArrays random(rng, 2, 1, 2);
    random.add_steps(20);
    random.add_select();
    random.add_select();
    const std::array<std::size_t, 2> vectors = {rng.below(random.vectors().size()),
                                                rng.below(random.vectors().size())};
    const std::size_t boolean = rng.below(random.bools().size());
    const std::array<std::size_t, 2> symbols = {rng.below(random.all_arrays().size()),
                                                rng.below(random.all_arrays().size())};
    const bool keeps_symbols = rng.chance(1, 4);
    const auto replacement = [&](std::uint64_t number, Sort) {
      return number < 2 ? random.vectors()[vectors[number]] : random.bools()[boolean];
    };
    const auto other_symbol = [&](Array symbol) {
      return random.all_arrays()[symbols[symbol == random.symbols()[0] ? 0 : 1]];
    };
    const std::vector<Term> terms = random.vectors();
    std::vector<Term> substituted;
    for (const Term term : terms)
      substituted.push_back(keeps_symbols
                                ? random.arrays().substitute(term, replacement)
                                : random.arrays().substitute(term, replacement, other_symbol));
    for (int trial = 0; trial < 10; ++trial) {
      const ConcreteState state = random.random_state();
      const RandomArrays::Values now = random.values(state);
      const ConcreteState other{{now.vectors[vectors[0]], now.vectors[vectors[1]]},
                                {now.bools[boolean]},
                                keeps_symbols
                                    ? state.symbols
                                    : std::vector{now.arrays[symbols[0]], now.arrays[symbols[1]]}};
      const RandomArrays::Values expected = random.values(other);
      for (std::size_t i = 0; i < terms.size(); ++i)
        RC_ASSERT(evaluate(random, substituted[i], state) == expected.vectors[i]);
    }
  }));
}

class ArraysTest : public testing::Test {
protected:
  TermStore terms;
  std::uint64_t next = 100;
  Arrays arrays{terms, [this](Sort sort) { return terms.variable(next++, sort); }};
  ArraySort bytes{Sort{64}, Sort{8}};
  Array memory = arrays.symbol(bytes);
  Term x = terms.variable(0, Sort{64});
  Term y = terms.variable(1, Sort{64});
  Term one = terms.constant(1, 8);
  Term two = terms.constant(2, 8);
};

TEST_F(ArraysTest, AnElementIsOneVariable) {
  const Term element = arrays.select(memory, x);
  EXPECT_EQ(arrays.select(memory, x), element);
  EXPECT_NE(arrays.select(memory, y), element);
  EXPECT_NE(arrays.select(arrays.symbol(bytes), x), element);
  ASSERT_EQ(arrays.selects().size(), 3U);
  const Select* select = arrays.select_of(element);
  ASSERT_NE(select, nullptr);
  EXPECT_EQ(select->symbol, memory);
  EXPECT_EQ(select->index, x);
  EXPECT_EQ(select->variable, element);
  EXPECT_EQ(arrays.select_of(x), nullptr);
  EXPECT_EQ(arrays.select_of(one), nullptr);
}

TEST_F(ArraysTest, StoresThatAreDecidedLeaveNoTrace) {
  const Array written = arrays.store(memory, terms.constant(8, 64), one);
  EXPECT_EQ(arrays.select(written, terms.constant(8, 64)), one);
  EXPECT_TRUE(arrays.selects().empty());
  EXPECT_EQ(arrays.select(written, terms.constant(9, 64)),
            arrays.select(memory, terms.constant(9, 64)));
  EXPECT_EQ(arrays.store(memory, x, one, terms.boolean(false)), memory);
  EXPECT_EQ(arrays.select(arrays.constant(Sort{64}, two), y), two);
}

TEST_F(ArraysTest, WhatIsMadeInOneWayIsOne) {
  EXPECT_EQ(arrays.store(memory, x, one), arrays.store(memory, x, one));
  EXPECT_NE(arrays.store(memory, x, one), arrays.store(memory, x, two));
  // The second store leaves nothing of the first.
  EXPECT_EQ(arrays.store(arrays.store(memory, x, one), x, two), arrays.store(memory, x, two));
  const Term may = terms.variable(2, Sort{});
  EXPECT_NE(arrays.store(arrays.store(memory, x, one), x, two, may), arrays.store(memory, x, two));
  EXPECT_EQ(arrays.ite(may, memory, memory), memory);
  EXPECT_EQ(arrays.ite(terms.boolean(false), memory, arrays.store(memory, x, one)),
            arrays.store(memory, x, one));
}

TEST_F(ArraysTest, LongChainsNeedNoStackAndAreSharedByTheirParts) {
  Array current = memory;
  std::size_t before = 0;
  for (std::uint64_t i = 0; i < 20'000; ++i) {
    current = arrays.store(current, terms.variable(1000 + i, Sort{64}), one);
    if (i == 19'998) {
      (void)arrays.select(current, x);
      before = terms.size();
    }
  }
  (void)arrays.select(current, x);
  EXPECT_EQ(arrays.selects().size(), 1U);
  EXPECT_LT(terms.size(), before + 10);
}

TEST_F(ArraysTest, ChoicesThatMeetAreGoneThroughOnce) {
  Array current = memory;
  for (std::uint64_t i = 0; i < 60; ++i) {
    const Array written = arrays.store(current, terms.variable(1000 + i, Sort{64}), one);
    const Array other = arrays.store(current, terms.variable(2000 + i, Sort{64}), two);
    current = arrays.ite(terms.variable(3000 + i, Sort{}), written, other);
  }
  (void)arrays.select(current, x);
  EXPECT_LT(terms.size(), 1000U);
}

} // namespace
} // namespace heddle::logic::test
