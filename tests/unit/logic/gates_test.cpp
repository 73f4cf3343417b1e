// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Gates compute what they are named after, whatever they are simplified to; and they are shared.
#include "clause_list.h"
#include "logic/gates.h"
#include "support/rng.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <array>
#include <bit>

namespace heddle::logic {
namespace {

class GatesTest : public testing::Test {
protected:
  ClauseList clauses;
  Gates gates{clauses};
  Literal x = gates.fresh();
  Literal y = gates.fresh();
  Literal z = gates.fresh();
  Literal w = gates.fresh();
};

constexpr unsigned kInputs = 4;
constexpr unsigned kRows = 1U << kInputs;

/// A literal and its value in each row of the truth table of the inputs.
struct Known {
  Literal literal;
  unsigned table = 0;
};

/// Bit r of the result is f of the bits r.
template <class Function>
unsigned table_of(Function f, unsigned a, unsigned b, unsigned c) {
  unsigned table = 0;
  for (unsigned row = 0; row < kRows; ++row)
    if (f((a >> row & 1U) != 0, (b >> row & 1U) != 0, (c >> row & 1U) != 0))
      table |= 1U << row;
  return table;
}

Known random_gate(Rng& rng, Gates& gates, const std::vector<Known>& known) {
  const auto pick = [&] {
    Known one = known[rng.below(known.size())];
    if (rng.chance(1, 2))
      one = {~one.literal, ~one.table & 0xffffU};
    return one;
  };
  const Known a = pick();
  const Known b = pick();
  const Known c = pick();
  switch (rng.below(9)) {
  case 0:
    return {gates.and_(a.literal, b.literal), a.table & b.table};
  case 1:
    return {gates.or_(a.literal, b.literal), a.table | b.table};
  case 2:
    return {gates.xor_(a.literal, b.literal), a.table ^ b.table};
  case 3:
    return {gates.equal(a.literal, b.literal), ~(a.table ^ b.table) & 0xffffU};
  case 4:
    return {gates.ite(a.literal, b.literal, c.literal),
            table_of([](bool p, bool q, bool r) { return p ? q : r; }, a.table, b.table, c.table)};
  case 5:
    return {gates.and_(std::array{a.literal, b.literal, c.literal}), a.table & b.table & c.table};
  case 6:
    return {gates.or_(std::array{a.literal, b.literal, c.literal}), a.table | b.table | c.table};
  case 7:
    return {gates.full_adder(a.literal, b.literal, c.literal).sum, a.table ^ b.table ^ c.table};
  default:
    return {gates.full_adder(a.literal, b.literal, c.literal).carry,
            (a.table & b.table) | (a.table & c.table) | (b.table & c.table)};
  }
}

TEST(GatesProperty, RandomCircuitsComputeTheirTruthTables) {
  EXPECT_TRUE(rc::check("circuits", [](std::uint64_t seed) {
    Rng rng(seed);
    ClauseList clauses;
    Gates gates(clauses);
    std::vector<Known> known = {{gates.constant(true), 0xffffU}};
    std::vector<Literal> inputs;
    for (const unsigned table : {0xaaaaU, 0xccccU, 0xf0f0U, 0xff00U}) {
      inputs.push_back(gates.fresh());
      known.push_back({inputs.back(), table});
    }
    for (int i = 0; i < 40; ++i)
      known.push_back(random_gate(rng, gates, known));
    for (unsigned row = 0; row < kRows; ++row) {
      std::vector<Literal> given;
      for (unsigned i = 0; i < kInputs; ++i)
        given.push_back(inputs[i] ^ ((row >> i & 1U) == 0));
      RC_ASSERT(clauses.propagate(given));
      for (const Known& one : known) {
        RC_ASSERT(!clauses.is_open(one.literal));
        RC_ASSERT(clauses.is_true(one.literal) == ((one.table >> row & 1U) != 0));
      }
    }
  }));
}

// The same with some inputs required before, in between: simplification by facts.
TEST(GatesProperty, RandomCircuitsWithRequiredLiteralsAreRightWhereTheseHold) {
  EXPECT_TRUE(rc::check("facts", [](std::uint64_t seed) {
    Rng rng(seed);
    ClauseList clauses;
    Gates gates(clauses);
    std::vector<Known> known = {{gates.constant(true), 0xffffU}};
    std::vector<Literal> inputs;
    for (const unsigned table : {0xaaaaU, 0xccccU, 0xf0f0U, 0xff00U}) {
      inputs.push_back(gates.fresh());
      known.push_back({inputs.back(), table});
    }
    unsigned possible = 0xffffU;
    for (int i = 0; i < 40; ++i) {
      known.push_back(random_gate(rng, gates, known));
      if (rng.chance(1, 12) && (possible & known.back().table) != 0) {
        gates.require(known.back().literal);
        possible &= known.back().table;
      }
    }
    for (unsigned row = 0; row < kRows; ++row) {
      std::vector<Literal> given;
      for (unsigned i = 0; i < kInputs; ++i)
        given.push_back(inputs[i] ^ ((row >> i & 1U) == 0));
      const bool is_possible = (possible >> row & 1U) != 0;
      RC_ASSERT(clauses.propagate(given) == is_possible);
      if (!is_possible)
        continue;
      for (const Known& one : known)
        RC_ASSERT(clauses.is_true(one.literal) == ((one.table >> row & 1U) != 0));
    }
  }));
}

TEST_F(GatesTest, CommutedAndNegatedOperandsAreOneGate) {
  const Literal conjunction = gates.and_(x, y);
  const Literal sum = gates.xor_(x, y);
  const Literal choice = gates.ite(x, y, z);
  const Literal parity = gates.xor3(x, y, z);
  const Literal carry = gates.majority(x, y, z);
  const Literal many = gates.and_(std::array{x, y, z, w});
  const std::size_t made = gates.gate_count();
  EXPECT_EQ(gates.and_(y, x), conjunction);
  EXPECT_EQ(gates.or_(~x, ~y), ~conjunction);
  EXPECT_EQ(gates.xor_(~y, x), ~sum);
  EXPECT_EQ(gates.equal(y, x), ~sum);
  EXPECT_EQ(gates.ite(~x, z, y), choice);
  EXPECT_EQ(gates.ite(x, ~y, ~z), ~choice);
  EXPECT_EQ(gates.xor3(z, ~x, y), ~parity);
  EXPECT_EQ(gates.majority(~z, ~x, ~y), ~carry);
  EXPECT_EQ(gates.and_(std::array{w, z, x, y, x}), many);
  EXPECT_EQ(gates.gate_count(), made);
}

TEST_F(GatesTest, ConstantsAndComplementsNeedNoGate) {
  const Literal yes = gates.constant(true);
  EXPECT_EQ(gates.and_(x, yes), x);
  EXPECT_EQ(gates.and_(x, ~yes), ~yes);
  EXPECT_EQ(gates.and_(x, ~x), ~yes);
  EXPECT_EQ(gates.xor_(x, ~x), yes);
  EXPECT_EQ(gates.xor_(x, yes), ~x);
  EXPECT_EQ(gates.ite(x, yes, ~yes), x);
  EXPECT_EQ(gates.ite(x, y, y), y);
  EXPECT_EQ(gates.xor3(x, y, ~x), ~y);
  EXPECT_EQ(gates.majority(x, y, ~x), y);
  EXPECT_EQ(gates.and_(std::span<const Literal>{}), yes);
  EXPECT_EQ(gates.or_(std::span<const Literal>{}), ~yes);
  EXPECT_EQ(gates.and_(std::array{x, y, ~x, z}), ~yes);
  EXPECT_EQ(gates.gate_count(), 0U);
}

TEST_F(GatesTest, GatesBelowAreLookedAt) {
  const Literal both = gates.and_(x, y);
  EXPECT_EQ(gates.and_(both, x), both);
  EXPECT_EQ(gates.and_(both, ~x), gates.constant(false));
  EXPECT_EQ(gates.and_(~both, ~y), ~y);
  EXPECT_EQ(gates.and_(both, gates.and_(~x, z)), gates.constant(false));
  EXPECT_EQ(gates.and_(~both, x), gates.and_(x, ~y));
  EXPECT_EQ(gates.and_(~both, ~gates.and_(~x, y)), ~y);
  EXPECT_EQ(gates.xor_(gates.xor_(x, y), x), y);
  EXPECT_EQ(gates.ite(x, gates.ite(x, y, z), w), gates.ite(x, y, w));
}

TEST_F(GatesTest, RequiredLiteralsSimplifyWhatComesLater) {
  gates.require(~x);
  EXPECT_EQ(gates.and_(x, y), gates.constant(false));
  EXPECT_EQ(gates.xor_(x, y), y);
  EXPECT_EQ(gates.ite(x, y, z), z);
  const std::size_t before = gates.clause_count();
  gates.require_any(std::array{y, ~x});
  gates.require_any(std::array{y, ~y});
  EXPECT_EQ(gates.clause_count(), before);
  gates.require_any(std::array{x, y});
  EXPECT_TRUE(gates.is_true(y));
  gates.require(x);
  EXPECT_FALSE(clauses.propagate({}));
}

TEST_F(GatesTest, AnAdderPropagatesFromItsOutputs) {
  const Sum made = gates.full_adder(x, y, z);
  ASSERT_TRUE(clauses.propagate(std::array{made.sum, made.carry}));
  EXPECT_TRUE(clauses.is_true(x) && clauses.is_true(y) && clauses.is_true(z));
  ASSERT_TRUE(clauses.propagate(std::array{~made.sum, x}));
  EXPECT_TRUE(clauses.is_true(made.carry));
}

TEST(GatesCount, AtMostOneAndExactlyOneOfAnyNumber) {
  for (unsigned count = 0; count <= 11; ++count) {
    for (const bool is_exact : {false, true}) {
      ClauseList clauses;
      Gates gates(clauses);
      std::vector<Literal> operands;
      for (unsigned i = 0; i < count; ++i)
        operands.push_back(gates.fresh() ^ (i % 3 == 1));
      if (is_exact)
        gates.require_exactly_one(operands);
      else
        gates.require_at_most_one(operands);
      for (unsigned chosen = 0; chosen < 1U << count; ++chosen) {
        std::vector<Literal> given;
        for (unsigned i = 0; i < count; ++i)
          given.push_back(operands[i] ^ ((chosen >> i & 1U) == 0));
        const int number = std::popcount(chosen);
        const bool expected = is_exact ? number == 1 : number <= 1;
        const bool found = clauses.propagate(given);
        ASSERT_EQ(found, expected) << count << " operands, " << number << " chosen";
        if (expected) {
          ASSERT_TRUE(clauses.holds_with_the_rest_false());
        }
      }
    }
  }
}

TEST(GatesCount, OneChosenRefutesAllOthersByPropagation) {
  ClauseList clauses;
  Gates gates(clauses);
  std::vector<Literal> operands(100);
  for (Literal& operand : operands)
    operand = gates.fresh();
  gates.require_at_most_one(operands);
  for (const Literal chosen : operands) {
    ASSERT_TRUE(clauses.propagate(std::array{chosen}));
    for (const Literal other : operands)
      ASSERT_EQ(clauses.is_false(other), other != chosen);
  }
  EXPECT_LT(clauses.clause_count(), 300U); // pairs would be 4950
}

TEST_F(GatesTest, AtMostOneCountsPositions) {
  gates.require_at_most_one(std::array{x, y, x});
  EXPECT_TRUE(gates.is_false(x));
  gates.require_at_most_one(std::array{y, gates.constant(true), z, gates.constant(false)});
  EXPECT_TRUE(gates.is_false(y) && gates.is_false(z));
}

} // namespace
} // namespace heddle::logic
