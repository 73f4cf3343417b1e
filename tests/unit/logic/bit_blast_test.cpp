// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Circuits compute what the terms mean: the inputs are fixed, unit propagation has to find every
// bit of the result. And they are small, shared, and cut to the ranges of their operands.
#include "clause_list.h"
#include "logic/bit_blast.h"
#include "reference.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <array>
#include <map>

namespace heddle::logic {
namespace {

constexpr std::array kVectorOperations = {Op::kAdd,
                                          Op::kSub,
                                          Op::kMul,
                                          Op::kUDiv,
                                          Op::kURem,
                                          Op::kSDiv,
                                          Op::kSRem,
                                          Op::kBitAnd,
                                          Op::kBitOr,
                                          Op::kBitXor,
                                          Op::kShl,
                                          Op::kLShr,
                                          Op::kAShr};
constexpr std::array kComparisons = {Op::kEqual, Op::kULt, Op::kULe, Op::kSLt, Op::kSLe};

Sort sort_of(unsigned width) {
  return Sort{static_cast<std::uint8_t>(width)};
}

/// A store with its circuits. Values of variables are chosen, the rest follows.
class Circuit {
public:
  explicit Circuit(VariableRanges ranges = {}) : blaster(store, gates, std::move(ranges)) {}

  /// The literals of a term, one for a Bool.
  std::vector<Literal> literals(Term term) {
    if (store.sort(term).is_bool())
      return {blaster.literal(term)};
    const std::span<const Literal> bits = blaster.bits(term);
    return {bits.begin(), bits.end()};
  }

  /// The variable has this value; variables that no circuit contains have none.
  void assume(Term variable, std::uint64_t value) {
    if (!blaster.is_translated(variable))
      return;
    const std::vector<Literal> bits = literals(variable);
    for (std::size_t i = 0; i < bits.size(); ++i)
      given.push_back(bits[i] ^ ((value >> i & 1U) == 0));
  }

  /// What propagation makes of the term; nothing if it leaves a bit open or finds a contradiction.
  std::optional<std::uint64_t> run(Term term) {
    if (!clauses.propagate(given))
      return std::nullopt;
    for (const Literal bit : literals(term))
      if (clauses.is_open(bit))
        return std::nullopt;
    return blaster.value(term, [&](Literal bit) { return clauses.is_true(bit); });
  }

  Term vector(std::uint64_t number, unsigned width = 32) {
    return store.variable(number, sort_of(width));
  }

  TermStore store;
  ClauseList clauses;
  Gates gates{clauses};
  BitBlaster blaster;
  std::vector<Literal> given;
};

std::string describe(const TermStore& store, Term term) {
  return store.to_smtlib(term, [](std::uint64_t number) { return fmt::format("v{}", number); });
}

/// Every pair of values of two variables; the term is made from them.
void expect_all_values(unsigned width, const std::function<Term(TermStore&, Term, Term)>& make) {
  Circuit circuit;
  const Term a = circuit.vector(0, width);
  const Term b = circuit.vector(1, width);
  const Term term = make(circuit.store, a, b);
  (void)circuit.literals(term);
  for (std::uint64_t x = 0; x <= mask_of(width); ++x) {
    for (std::uint64_t y = 0; y <= mask_of(width); ++y) {
      circuit.given.clear();
      circuit.assume(a, x);
      circuit.assume(b, y);
      const std::uint64_t expected =
          circuit.store.evaluate(term, [&](std::uint64_t number) { return number == 0 ? x : y; });
      ASSERT_EQ(circuit.run(term), expected) << describe(circuit.store, term) << " at width "
                                             << width << ", values " << x << ", " << y;
    }
  }
}

TEST(BitBlastExhaustive, BinaryOperations) {
  for (unsigned width = 1; width <= 4; ++width) {
    const auto check = [&](Op op) {
      expect_all_values(width,
                        [op](TermStore& store, Term a, Term b) { return store.binary(op, a, b); });
      expect_all_values(width,
                        [op](TermStore& store, Term a, Term) { return store.binary(op, a, a); });
      for (std::uint64_t value = 0; value <= mask_of(width); ++value) {
        expect_all_values(width, [&](TermStore& store, Term a, Term) {
          return store.binary(op, a, store.constant(value, width));
        });
        expect_all_values(width, [&](TermStore& store, Term a, Term) {
          return store.binary(op, store.constant(value, width), a);
        });
      }
    };
    for (const Op op : kVectorOperations)
      check(op);
    for (const Op op : kComparisons)
      check(op);
    if (testing::Test::HasFatalFailure())
      return;
  }
}

TEST(BitBlastExhaustive, OperationsOnExtendedOperands) {
  for (unsigned width = 1; width <= 3; ++width) {
    const auto check = [&](Op op, bool sign_a, bool sign_b) {
      expect_all_values(width, [=](TermStore& store, Term a, Term b) {
        const auto wide = [&](Term x, bool sign) {
          return sign ? store.sign_extend(x, width + 3) : store.zero_extend(x, width + 3);
        };
        return store.binary(op, wide(a, sign_a), wide(b, sign_b));
      });
    };
    for (const bool sign_a : {false, true})
      for (const bool sign_b : {false, true}) {
        for (const Op op : kVectorOperations)
          check(op, sign_a, sign_b);
        for (const Op op : kComparisons)
          check(op, sign_a, sign_b);
        if (testing::Test::HasFatalFailure())
          return;
      }
  }
}

TEST(BitBlastExhaustive, OtherOperations) {
  for (unsigned width = 1; width <= 4; ++width) {
    const auto check = [&](const auto& make) { expect_all_values(width, make); };
    check([](TermStore& store, Term a, Term) { return store.bit_not(a); });
    check([](TermStore& store, Term a, Term) { return store.negate(a); });
    check([](TermStore& store, Term a, Term b) { return store.concat(a, b); });
    check([](TermStore& store, Term a, Term b) {
      return store.ite(store.binary(Op::kULt, a, b), b, store.negate(a));
    });
    check([](TermStore& store, Term a, Term b) {
      const Term less = store.binary(Op::kSLt, a, b);
      const Term odd = store.to_bool(store.extract(a, 0, 1));
      return store.or_(store.and_(less, odd), store.equal(store.not_(less), odd));
    });
    check([](TermStore& store, Term a, Term b) {
      return store.ite(store.equal(a, b),
                       store.binary(Op::kULt, a, store.bit_not(b)),
                       store.binary(Op::kSLe, b, a));
    });
    for (unsigned low = 0; low < width; ++low)
      for (unsigned count = 1; low + count <= width; ++count)
        check([=](TermStore& store, Term a, Term b) {
          return store.extract(store.binary(Op::kAdd, a, b), low, count);
        });
    for (unsigned wide = width + 1; wide <= width + 3; ++wide) {
      check([=](TermStore& store, Term a, Term b) {
        return store.zero_extend(store.binary(Op::kSub, a, b), wide);
      });
      check([=](TermStore& store, Term a, Term b) {
        return store.sign_extend(store.binary(Op::kSub, a, b), wide);
      });
    }
    if (testing::Test::HasFatalFailure())
      return;
  }
}

TEST(BitBlastRandom, OperationsOnWideVectors) {
  Rng rng(2026);
  for (const unsigned width : {5U, 8U, 13U, 16U, 32U, 64U}) {
    for (const Op op : kVectorOperations) {
      for (const unsigned constants : {0U, 1U, 2U}) {
        Circuit circuit;
        const Term a = circuit.vector(0, width);
        const Term b = circuit.vector(1, width);
        const Term constant = circuit.store.constant(random_value(rng, width), width);
        const Term term =
            circuit.store.binary(op, constants == 1 ? constant : a, constants == 2 ? constant : b);
        (void)circuit.literals(term);
        for (int trial = 0; trial < (width == 64 ? 4 : 12); ++trial) {
          const std::uint64_t x = random_value(rng, width);
          // Shift amounts and divisors that matter are small.
          const std::uint64_t y =
              rng.chance(1, 3) ? rng.below(width + 2) & mask_of(width) : random_value(rng, width);
          circuit.given.clear();
          circuit.assume(a, x);
          circuit.assume(b, y);
          const std::uint64_t expected = circuit.store.evaluate(
              term, [&](std::uint64_t number) { return number == 0 ? x : y; });
          ASSERT_EQ(circuit.run(term), expected)
              << describe(circuit.store, term) << " at width " << width << ": " << x << ", " << y;
        }
      }
    }
  }
}

/// Random terms over variables that keep to random ranges (or to none).
void check_random_terms(std::uint64_t seed, bool has_ranges) {
  Rng rng(seed);
  std::map<std::uint64_t, Range> given;
  TermStore* store = nullptr;
  Circuit circuit([&](Term variable) -> std::optional<Range> {
    const Node& node = store->node(variable);
    const unsigned width = std::max<unsigned>(node.sort.width, 1);
    if (!has_ranges || rng.chance(1, 4))
      return std::nullopt;
    Range range = Range::constant(random_value(rng, width), width);
    for (std::uint64_t i = rng.below(4); i > 0; --i) {
      const std::uint64_t next = (range.min + rng.below(12)) & mask_of(width);
      range = hull(range, Range::constant(next, width));
    }
    return given.emplace(node.value, range).first->second;
  });
  store = &circuit.store;
  for (int round = 0; round < 6; ++round) {
    const auto width = static_cast<unsigned>(rng.chance(1, 8) ? rng.below(65) : rng.below(12));
    const Term term =
        build(circuit.store, random_tree(rng, width, static_cast<unsigned>(1 + rng.below(4))));
    (void)circuit.literals(term);
    for (int trial = 0; trial < 3; ++trial) {
      std::map<std::uint64_t, std::uint64_t> values;
      const Assignment assignment = [&](std::uint64_t number) {
        const auto [entry, is_new] = values.try_emplace(number, 0);
        if (!is_new)
          return entry->second;
        const auto range = given.find(number);
        entry->second = random_value(rng, static_cast<unsigned>(number / 8));
        if (range != given.end() && !range->second.contains(entry->second))
          entry->second = rng.chance(1, 2) ? range->second.min : range->second.max;
        return entry->second;
      };
      const std::uint64_t expected = circuit.store.evaluate(term, assignment);
      circuit.given.clear();
      // The number of a variable says its width.
      for (const auto& [number, value] : values)
        circuit.assume(circuit.vector(number, static_cast<unsigned>(number / 8)), value);
      const std::optional<std::uint64_t> found = circuit.run(term);
      if (found != expected)
        RC_LOG() << describe(circuit.store, term);
      RC_ASSERT(found == expected);
    }
  }
}

TEST(BitBlastRandom, Terms) {
  EXPECT_TRUE(rc::check("terms", [](std::uint64_t seed) { check_random_terms(seed, false); }));
}

TEST(BitBlastRandom, TermsOfVariablesWithRanges) {
  EXPECT_TRUE(rc::check("ranges", [](std::uint64_t seed) { check_random_terms(seed, true); }));
}

class BitBlastTest : public testing::Test {
protected:
  Term binary(Op op, Term x, Term y) { return circuit.store.binary(op, x, y); }
  std::size_t gates_for(Term term) {
    const std::size_t before = circuit.gates.gate_count();
    (void)circuit.literals(term);
    return circuit.gates.gate_count() - before;
  }
  Circuit circuit;
  Term a = circuit.vector(0);
  Term b = circuit.vector(1);
};

TEST_F(BitBlastTest, EachTermIsTranslatedOnce) {
  const Term sum = binary(Op::kAdd, a, b);
  EXPECT_GT(gates_for(sum), 0U);
  EXPECT_EQ(gates_for(sum), 0U);
  EXPECT_EQ(gates_for(binary(Op::kAdd, b, a)), 0U);
  const std::span<const Literal> bits = circuit.blaster.bits(sum);
  for (unsigned i = 0; i < 1000; ++i)
    (void)circuit.literals(binary(Op::kBitXor, sum, circuit.vector(i + 2)));
  EXPECT_EQ(circuit.blaster.bits(sum).data(), bits.data()); // spans stay valid
}

TEST_F(BitBlastTest, DifferentTermsShareCircuits) {
  (void)gates_for(binary(Op::kUDiv, a, b));
  EXPECT_EQ(gates_for(binary(Op::kURem, a, b)), 0U);
  (void)gates_for(binary(Op::kSub, a, b));
  EXPECT_LE(gates_for(binary(Op::kULt, a, b)), 1U); // the borrow of the highest bit
  EXPECT_LE(gates_for(binary(Op::kULe, b, a)), 0U);
  (void)gates_for(binary(Op::kSDiv, a, b));
  EXPECT_LE(gates_for(binary(Op::kSRem, a, b)), 2 * 32U); // the sign of the remainder
}

TEST_F(BitBlastTest, CommutedOperandsMadeOfTheSameBitsShare) {
  // Terms that the store does not know to be commuted.
  const Term x = circuit.vector(5, 16);
  const Term y = circuit.vector(6, 16);
  const Term first = circuit.vector(7, 16);
  const Term second = circuit.vector(8, 16);
  circuit.blaster.define(first, circuit.blaster.bits(y));
  circuit.blaster.define(second, circuit.blaster.bits(x));
  for (const Op op : {Op::kAdd, Op::kMul, Op::kBitAnd, Op::kBitOr, Op::kBitXor, Op::kEqual}) {
    EXPECT_GT(gates_for(binary(op, x, y)), 0U);
    EXPECT_EQ(gates_for(binary(op, first, second)), 0U) << static_cast<int>(op);
  }
}

TEST_F(BitBlastTest, MovingBitsIsFree) {
  EXPECT_EQ(gates_for(circuit.store.concat(a, b)), 0U);
  EXPECT_EQ(gates_for(circuit.store.extract(a, 3, 20)), 0U);
  EXPECT_EQ(gates_for(circuit.store.sign_extend(a, 50)), 0U);
  EXPECT_EQ(gates_for(circuit.store.zero_extend(a, 50)), 0U);
  EXPECT_EQ(gates_for(circuit.store.bit_not(a)), 0U);
  EXPECT_EQ(gates_for(binary(Op::kShl, a, circuit.store.constant(5, 32))), 0U);
  EXPECT_EQ(gates_for(binary(Op::kMul, a, circuit.store.constant(8, 32))), 0U);
}

TEST_F(BitBlastTest, CircuitsAreSmall) {
  const auto clauses_for = [&](Op op) {
    Circuit fresh;
    const Term term = fresh.store.binary(op, fresh.vector(0), fresh.vector(1));
    (void)fresh.literals(term);
    RecordProperty(fmt::format("clauses_of_operation_{}", static_cast<int>(op)),
                   static_cast<int>(fresh.gates.clause_count()));
    return fresh.gates.clause_count();
  };
  EXPECT_LE(clauses_for(Op::kAdd), 32 * 20U);
  EXPECT_LE(clauses_for(Op::kSub), 32 * 20U);
  EXPECT_LE(clauses_for(Op::kULt), 32 * 6U);
  EXPECT_LE(clauses_for(Op::kEqual), 32 * 5 + 2U);
  EXPECT_LE(clauses_for(Op::kMul), 32 * 32 / 2 * 23U);
  EXPECT_LE(clauses_for(Op::kUDiv), 32 * 33 / 2 * 27U);
  EXPECT_LE(clauses_for(Op::kShl), 5 * 32 * 6 + 200U);
}

TEST(BitBlastRanges, SmallValuesMakeSmallCircuits) {
  Circuit circuit([](Term) { return Range::of_unsigned(0, 31, 32); });
  const Term a = circuit.vector(0);
  const Term b = circuit.vector(1);
  const Term sum = circuit.store.binary(Op::kAdd, a, b);
  (void)circuit.literals(sum);
  EXPECT_LE(circuit.gates.gate_count(), 2 * 5U);
  for (unsigned i = 6; i < 32; ++i)
    EXPECT_TRUE(circuit.gates.is_false(circuit.blaster.bits(sum)[i]));
  EXPECT_EQ(circuit.clauses.variable_count(), 1 + 2 * 5 + circuit.gates.gate_count());
}

TEST(BitBlastRanges, SignedValuesRepeatTheirSign) {
  Circuit circuit([](Term) { return Range::of_signed(-16, 15, 32); });
  const Term product = circuit.store.binary(Op::kMul, circuit.vector(0), circuit.vector(1));
  const std::vector<Literal> bits = circuit.literals(product);
  for (unsigned i = 10; i < 32; ++i)
    EXPECT_EQ(bits[i], bits[9]);
  EXPECT_LE(circuit.gates.gate_count(), 5 * 10 * 3U);
}

TEST(BitBlastRanges, DecidedTermsAndBranchesAreNotTranslated) {
  Circuit circuit([](Term) { return Range::of_unsigned(0, 31, 32); });
  const Term a = circuit.vector(0);
  const Term b = circuit.vector(1);
  const Term condition = circuit.store.binary(Op::kULt, a, circuit.store.constant(40, 32));
  const Term product = circuit.store.binary(Op::kMul, a, b);
  EXPECT_EQ(circuit.literals(circuit.store.ite(condition, b, product)), circuit.literals(b));
  EXPECT_FALSE(circuit.blaster.is_translated(product));
  EXPECT_EQ(circuit.gates.gate_count(), 0U);
}

TEST_F(BitBlastTest, DefinedVariablesStandForTheirLiterals) {
  std::vector<Literal> bits(32, circuit.gates.constant(false));
  bits[0] = circuit.gates.fresh();
  bits[3] = circuit.gates.constant(true);
  const Term c = circuit.vector(9);
  circuit.blaster.define(c, bits);
  EXPECT_EQ(circuit.literals(c), bits);
  EXPECT_EQ(circuit.blaster.range(c).max, 9U); // constant literals count
  EXPECT_LE(gates_for(binary(Op::kAdd, c, c)), 0U);
  const Term narrow = circuit.vector(11, 8);
  const Term wide = circuit.vector(12);
  circuit.blaster.define(wide, circuit.blaster.bits(circuit.store.sign_extend(narrow, 32)));
  EXPECT_EQ(circuit.blaster.range(wide), Range::of_signed(-128, 127, 32));
  const Term flag = circuit.store.variable(10, Sort{});
  circuit.blaster.define(flag, std::array{~bits[0]});
  EXPECT_EQ(circuit.blaster.literal(circuit.store.not_(flag)), bits[0]);
}

TEST_F(BitBlastTest, ValuesAreReadBack) {
  const Term sum = binary(Op::kAdd, a, b);
  EXPECT_EQ(circuit.blaster.value(sum, [](Literal) { return true; }), std::nullopt);
  EXPECT_EQ(circuit.blaster.value(circuit.store.constant(7, 32), [](Literal) { return true; }), 7U);
  circuit.blaster.require(circuit.store.equal(sum, circuit.store.constant(100, 32)));
  circuit.assume(a, 58);
  ASSERT_TRUE(circuit.clauses.propagate(circuit.given));
  const LiteralValues model = [&](Literal bit) { return circuit.clauses.is_true(bit); };
  EXPECT_EQ(circuit.blaster.value(b, model), 42U); // an adder runs backwards
  EXPECT_EQ(circuit.blaster.value(sum, model), 100U);
}

TEST_F(BitBlastTest, RequiredEqualitiesDefineNewVariables) {
  const Term c = circuit.vector(2);
  const Term sum = binary(Op::kAdd, a, b);
  (void)circuit.literals(sum);
  const std::size_t before = circuit.gates.clause_count();
  circuit.blaster.require(circuit.store.equal(c, sum));
  EXPECT_EQ(circuit.literals(c), circuit.literals(sum));
  EXPECT_EQ(circuit.gates.clause_count(), before);
  // Not where the value contains the variable, and not if it is known: then it is a constraint.
  const Term d = circuit.vector(3);
  circuit.blaster.require(circuit.store.equal(d, binary(Op::kBitAnd, circuit.store.bit_not(d), a)));
  circuit.blaster.require(circuit.store.equal(a, circuit.store.constant(0, 32)));
  ASSERT_TRUE(circuit.clauses.propagate({}));
  for (const Literal bit : circuit.literals(d))
    EXPECT_TRUE(circuit.clauses.is_false(bit));
  circuit.blaster.require(circuit.store.equal(c, circuit.store.constant(7, 32)));
  ASSERT_TRUE(circuit.clauses.propagate({}));
  EXPECT_EQ(circuit.blaster.value(b, [&](Literal bit) { return circuit.clauses.is_true(bit); }),
            7U);
}

TEST_F(BitBlastTest, RequiredTermsBecomeClauses) {
  const auto flag = [&](std::uint64_t number) {
    return circuit.store.variable(20 + number, Sort{});
  };
  TermStore& store = circuit.store;
  const Term clause = store.or_(store.or_(flag(0), flag(1)), store.not_(flag(2)));
  circuit.blaster.require(store.and_(clause, store.and_(flag(3), store.not_(flag(4)))));
  circuit.blaster.require(store.not_(store.and_(store.and_(flag(5), flag(6)), flag(7))));
  circuit.blaster.require(store.not_(store.or_(flag(8), store.not_(flag(9)))));
  EXPECT_EQ(circuit.gates.gate_count(), 0U);
  EXPECT_TRUE(circuit.gates.is_true(circuit.blaster.literal(flag(3))));
  EXPECT_TRUE(circuit.gates.is_false(circuit.blaster.literal(flag(4))));
  const std::array given = {~circuit.blaster.literal(flag(0)), circuit.blaster.literal(flag(2))};
  ASSERT_TRUE(circuit.clauses.propagate(given));
  EXPECT_TRUE(circuit.clauses.is_true(circuit.blaster.literal(flag(1))));
  ASSERT_TRUE(circuit.clauses.propagate(
      std::array{circuit.blaster.literal(flag(5)), circuit.blaster.literal(flag(6))}));
  EXPECT_TRUE(circuit.clauses.is_false(circuit.blaster.literal(flag(7))));
  EXPECT_TRUE(circuit.gates.is_false(circuit.blaster.literal(flag(8))));
  EXPECT_TRUE(circuit.gates.is_true(circuit.blaster.literal(flag(9))));
  circuit.blaster.require(store.boolean(false));
  EXPECT_FALSE(circuit.clauses.propagate({}));
}

TEST_F(BitBlastTest, DeepTermsNeedNoStack) {
  Term chain = circuit.vector(0, 2);
  for (unsigned i = 1; i < 100000; ++i)
    chain = binary(Op::kBitXor, chain, circuit.vector(i, 2));
  EXPECT_EQ(circuit.literals(chain).size(), 2U);
}

} // namespace
} // namespace heddle::logic
