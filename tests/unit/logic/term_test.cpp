// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Terms mean what they were built from, however the factories rewrite them; and they are rewritten.
#include "logic/term.h"
#include "reference.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <array>
#include <map>

namespace heddle::logic {
namespace {

std::string letter(std::uint64_t number) {
  return std::string(1, static_cast<char>('a' + number));
}

class TermTest : public testing::Test {
protected:
  Term vector(std::uint64_t number, unsigned width = 32) {
    return store.variable(number, Sort{static_cast<std::uint8_t>(width)});
  }
  Term flag(std::uint64_t number) { return store.variable(number, Sort{}); }
  Term number(std::uint64_t value, unsigned width = 32) { return store.constant(value, width); }

  TermStore store;
};

TEST(TermProperty, FactoriesAgreeWithTheBitwiseReference) {
  EXPECT_TRUE(rc::check("factories", [](std::uint64_t seed) {
    Rng rng(seed);
    TermStore store;
    for (int round = 0; round < 60; ++round) {
      const auto width = static_cast<unsigned>(rng.below(65));
      const Tree tree = random_tree(rng, width, static_cast<unsigned>(1 + rng.below(5)));
      const Term term = build(store, tree);
      RC_ASSERT(store.sort(term).width == width);
      for (int trial = 0; trial < 6; ++trial) {
        std::map<std::uint64_t, std::uint64_t> values;
        const Assignment assignment = [&](std::uint64_t variable) {
          const auto [entry, is_new] = values.try_emplace(variable, 0);
          if (is_new)
            entry->second = random_value(rng, static_cast<unsigned>(variable / 8));
          return entry->second;
        };
        const std::uint64_t expected = reference_value(tree, assignment);
        const std::uint64_t found = store.evaluate(term, assignment);
        if (found != expected)
          RC_LOG() << store.to_smtlib(term, [](std::uint64_t n) { return fmt::format("v{}", n); });
        RC_ASSERT(found == expected);
      }
    }
  }));
}

// Every pair of operations on every width up to 3, with every value: the small widths are where
// rules go wrong.
TEST(TermProperty, PairsOfOperationsAgreeOnAllSmallValues) {
  constexpr std::array kBinary = {Op::kAdd,
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
                                  Op::kAShr,
                                  Op::kEqual,
                                  Op::kULt,
                                  Op::kULe,
                                  Op::kSLt,
                                  Op::kSLe};
  for (unsigned width = 1; width <= 3; ++width) {
    TermStore store;
    const std::uint64_t count = 1ULL << width;
    const Tree x{Op::kVariable, width, 0};
    std::vector<Tree> leaves = {x, Tree{Op::kVariable, width, 1}};
    for (std::uint64_t value = 0; value < count; ++value)
      leaves.push_back(Tree{Op::kConstant, width, value});
    for (const Op inner : kBinary) {
      if (inner >= Op::kEqual && inner <= Op::kSLe)
        continue; // Bool results are no operands of the outer one
      for (const Op outer : kBinary) {
        const bool is_comparison = outer >= Op::kEqual && outer <= Op::kSLe;
        for (const Tree& second : leaves) {
          for (const Tree& third : leaves) {
            const Tree below{inner, width, 0, {x, second}};
            const unsigned result = is_comparison ? 0 : width;
            for (const Tree& tree :
                 {Tree{outer, result, 0, {below, third}}, Tree{outer, result, 0, {third, below}}}) {
              const Term term = build(store, tree);
              for (std::uint64_t a = 0; a < count; ++a) {
                for (std::uint64_t b = 0; b < count; ++b) {
                  const Assignment assignment = [&](std::uint64_t n) { return n == 0 ? a : b; };
                  ASSERT_EQ(store.evaluate(term, assignment), reference_value(tree, assignment))
                      << "width " << width << ", operations " << static_cast<int>(outer) << " of "
                      << static_cast<int>(inner) << ", a " << a << ", b " << b << ": "
                      << store.to_text(term, letter);
                }
              }
            }
          }
        }
      }
    }
  }
}

/// x (a variable of `inner` bits) and y, made `width` bits wide or taken apart and put together in
/// every way that fits.
std::vector<Tree> shapes(unsigned inner, unsigned width) {
  const Tree x{Op::kVariable, inner, 0};
  const Tree y{Op::kVariable, inner, 1};
  std::vector<Tree> result;
  if (inner == width)
    result = {x, y, Tree{Op::kBitNot, width, 0, {x}}, Tree{Op::kNegate, width, 0, {x}}};
  if (inner < width)
    for (const Op extension : {Op::kZeroExtend, Op::kSignExtend})
      for (const Tree& variable : {x, y})
        result.push_back({extension, width, 0, {variable}});
  if (inner > width)
    for (unsigned low = 0; low + width <= inner; ++low)
      result.push_back({Op::kExtract, width, low, {x}});
  for (unsigned high_width = 1; high_width < width; ++high_width) {
    const unsigned low_width = width - high_width;
    for (unsigned i = 0; i + high_width <= inner; ++i)
      for (unsigned j = 0; j + low_width <= inner; ++j)
        for (const Tree& other : {x, y})
          result.push_back({Op::kConcat,
                            width,
                            0,
                            {Tree{Op::kExtract, high_width, i, {x}},
                             Tree{Op::kExtract, low_width, j, {other}}}});
  }
  return result;
}

void expect_equal_everywhere(TermStore& store, const Tree& tree, std::uint64_t count) {
  const Term term = build(store, tree);
  for (std::uint64_t a = 0; a < count; ++a) {
    for (std::uint64_t b = 0; b < count; ++b) {
      const Assignment assignment = [&](std::uint64_t n) { return n == 0 ? a : b; };
      ASSERT_EQ(store.evaluate(term, assignment), reference_value(tree, assignment))
          << "operation " << static_cast<int>(tree.op) << ", a " << a << ", b " << b << ": "
          << store.to_text(term, letter);
    }
  }
}

// Extensions, parts and concatenations under comparisons, further cuts and arithmetic: all of them
// on few bits.
TEST(TermProperty, CutsAndExtensionsAgreeOnAllSmallValues) {
  for (unsigned inner = 1; inner <= 3; ++inner) {
    for (unsigned width = 1; width <= (inner == 3 ? 3U : 4U); ++width) {
      TermStore store;
      const std::uint64_t count = 1ULL << inner;
      const std::vector<Tree> made = shapes(inner, width);
      std::vector<Tree> others = made;
      for (std::uint64_t value = 0; value < 1ULL << width; ++value)
        others.push_back(Tree{Op::kConstant, width, value});
      for (const Tree& shape : made) {
        for (unsigned low = 0; low < width; ++low)
          for (unsigned part = 1; low + part <= width; ++part)
            expect_equal_everywhere(store, {Op::kExtract, part, low, {shape}}, count);
        for (const Op extension : {Op::kZeroExtend, Op::kSignExtend})
          expect_equal_everywhere(store, {extension, 6, 0, {shape}}, count);
        for (const Tree& other : others) {
          for (const Op op : {Op::kEqual, Op::kULt, Op::kULe, Op::kSLt, Op::kSLe}) {
            expect_equal_everywhere(store, {op, 0, 0, {shape, other}}, count);
            expect_equal_everywhere(store, {op, 0, 0, {other, shape}}, count);
          }
          expect_equal_everywhere(store, {Op::kConcat, 2 * width, 0, {shape, other}}, count);
          expect_equal_everywhere(store, {Op::kConcat, 2 * width, 0, {other, shape}}, count);
          for (const Op op : {Op::kAdd, Op::kSub, Op::kMul, Op::kBitAnd, Op::kBitOr, Op::kBitXor})
            for (unsigned part = 1; part <= width; ++part)
              expect_equal_everywhere(
                  store, {Op::kExtract, part, 0, {Tree{op, width, 0, {shape, other}}}}, count);
          if (testing::Test::HasFatalFailure())
            return;
        }
      }
    }
  }
}

TEST(TermProperty, SubstitutionAgreesWithEvaluation) {
  EXPECT_TRUE(rc::check("substitution", [](std::uint64_t seed) {
    Rng rng(seed);
    TermStore store;
    for (int round = 0; round < 30; ++round) {
      const auto width = static_cast<unsigned>(rng.below(33));
      const Term term = build(store, random_tree(rng, width, 4));
      std::map<std::uint64_t, Term> replacements;
      const Term replaced = store.substitute(term, [&](std::uint64_t variable, Sort sort) {
        if (variable % 8 == 1)
          return Term{}; // stays
        const auto [entry, is_new] = replacements.try_emplace(variable, Term{});
        if (is_new)
          entry->second = build(store, random_tree(rng, sort.width, 2));
        return entry->second;
      });
      const std::uint64_t salt = rng.next();
      const Assignment inner = [&](std::uint64_t n) {
        return mix(n ^ salt) & mask_of(std::max<unsigned>(1, static_cast<unsigned>(n / 8)));
      };
      const Assignment outer = [&](std::uint64_t n) {
        return replacements.contains(n) ? store.evaluate(replacements.at(n), inner) : inner(n);
      };
      RC_ASSERT(store.evaluate(replaced, inner) == store.evaluate(term, outer));
    }
  }));
}

TEST_F(TermTest, EqualTermsAreOneTerm) {
  const Term a = vector(0);
  const Term b = vector(1);
  EXPECT_EQ(store.binary(Op::kAdd, a, b), store.binary(Op::kAdd, b, a));
  EXPECT_NE(store.binary(Op::kSub, a, b), store.binary(Op::kSub, b, a));
  EXPECT_NE(store.variable(0, Sort{8}), store.variable(0, Sort{16}));
}

TEST_F(TermTest, ArithmeticWithConstantsFolds) {
  const Term a = vector(0);
  const Term sum = store.binary(Op::kAdd, store.binary(Op::kAdd, a, number(3)), number(4));
  EXPECT_EQ(sum, store.binary(Op::kAdd, a, number(7)));
  EXPECT_EQ(store.binary(Op::kSub, sum, number(7)), a);
  EXPECT_EQ(store.binary(Op::kSub, sum, a), number(7));
  EXPECT_EQ(store.binary(Op::kMul, a, number(1)), a);
  EXPECT_EQ(store.equal(sum, number(7)), store.equal(a, number(0)));
  EXPECT_EQ(store.equal(sum, a), store.boolean(false));
}

TEST_F(TermTest, PartsOfAPackedWordStayApart) {
  const Term x = store.variable(0, Sort{32});
  const Term y = store.variable(1, Sort{32});
  const auto plus = [&](Term a, std::uint64_t b) {
    return store.binary(Op::kAdd, a, store.constant(b, 32));
  };
  const Term low = store.binary(Op::kBitAnd, x, store.constant(255, 32));
  EXPECT_EQ(store.binary(Op::kSub, x, low),
            store.binary(Op::kBitAnd, x, store.constant(0xffffff00, 32)));
  EXPECT_EQ(store.equal(plus(x, 64), plus(y, 64)), store.equal(x, y));
  EXPECT_EQ(store.equal(plus(x, 64), plus(y, 60)), store.equal(plus(x, 4), y));
}

TEST_F(TermTest, AComparisonTurnedIntoANumberAndBackIsTheComparison) {
  const Term less = store.binary(Op::kSLt, vector(0), vector(1));
  const Term as_int = store.zero_extend(store.to_bit(less), 32);
  EXPECT_EQ(store.not_(store.equal(as_int, number(0))), less);
  EXPECT_EQ(store.equal(as_int, number(0)), store.not_(less));
  EXPECT_EQ(store.to_bool(store.extract(as_int, 0, 1)), less);
  EXPECT_EQ(store.to_bool(store.binary(Op::kBitXor, store.to_bit(less), number(1, 1))),
            store.not_(less));
}

TEST_F(TermTest, NegatedComparisonsAreComparisons) {
  const Term less = store.binary(Op::kULt, vector(0), vector(1));
  EXPECT_EQ(store.not_(less), store.binary(Op::kULe, vector(1), vector(0)));
  EXPECT_EQ(store.not_(store.not_(less)), less);
  EXPECT_EQ(store.and_(less, store.not_(less)), store.boolean(false));
  EXPECT_EQ(store.or_(less, store.not_(less)), store.boolean(true));
}

TEST_F(TermTest, BytesPutTogetherAgainAreTheWord) {
  const Term a = vector(0);
  Term word = store.extract(a, 0, 8);
  for (unsigned byte = 1; byte < 4; ++byte)
    word = store.concat(store.extract(a, byte * 8, 8), word);
  EXPECT_EQ(word, a);
}

TEST_F(TermTest, NarrowArithmeticLosesItsCasts) {
  const Term c = vector(0, 8);
  const Term wide = store.binary(Op::kAdd, store.sign_extend(c, 32), number(1));
  EXPECT_EQ(store.extract(wide, 0, 8), store.binary(Op::kAdd, c, number(1, 8)));
  EXPECT_EQ(store.binary(Op::kULt, store.zero_extend(c, 32), number(256)), store.boolean(true));
  EXPECT_EQ(store.binary(Op::kSLt, store.zero_extend(c, 32), number(0)), store.boolean(false));
}

TEST_F(TermTest, VariablesAreSortedAndUnique) {
  const Term sum = store.binary(Op::kMul, vector(9), store.binary(Op::kAdd, vector(2), vector(9)));
  EXPECT_EQ(store.variables(sum), (std::vector<std::uint64_t>{2, 9}));
  EXPECT_TRUE(store.variables(number(4)).empty());
}

TEST_F(TermTest, DeepTermsNeedNoDeepStack) {
  Term chain = vector(0);
  for (int i = 0; i < 300000; ++i)
    chain = store.binary(i % 2 == 0 ? Op::kAdd : Op::kBitXor, chain, number(5));
  const Term same = store.equal(chain, number(1));
  const std::uint64_t end = store.evaluate(chain, [](std::uint64_t) { return 17; });
  EXPECT_EQ(store.evaluate(same, [](std::uint64_t) { return 17; }), end == 1 ? 1U : 0U);
  Term tall = vector(0);
  for (int i = 0; i < 300000; ++i)
    tall = store.binary(i % 2 == 0 ? Op::kAdd : Op::kMul, tall, vector(1));
  EXPECT_EQ(store.variables(tall).size(), 2U);
  const Term constant =
      store.substitute(tall, [&](std::uint64_t n, Sort) { return number(n == 0 ? 3 : 2); });
  ASSERT_TRUE(store.is_constant(constant));
  EXPECT_EQ(store.node(constant).value,
            store.evaluate(tall, [](std::uint64_t n) { return n == 0 ? 3U : 2U; }));
  EXPECT_GT(store.to_smtlib(tall, letter).size(), 300000U);
  EXPECT_LT(store.to_text(tall, letter).size(), 1000000U);
}

TEST_F(TermTest, SharedSubtermsAreEvaluatedAndPrintedOnce) {
  Term doubled = vector(0);
  for (int i = 0; i < 200; ++i)
    doubled = store.binary(Op::kMul, doubled, store.binary(Op::kAdd, doubled, vector(1)));
  int lookups = 0;
  (void)store.evaluate(doubled, [&](std::uint64_t) {
    ++lookups;
    return 3;
  });
  EXPECT_EQ(lookups, 2);
  EXPECT_LT(store.to_smtlib(doubled, letter).size(), 20000U);
}

TEST_F(TermTest, SmtLibText) {
  const Term a = vector(0, 8);
  const Term shifted = store.binary(Op::kShl, store.zero_extend(a, 32), number(3));
  EXPECT_EQ(store.to_smtlib(store.binary(Op::kULt, shifted, vector(1)), letter),
            "(bvult (bvshl ((_ zero_extend 24) a) (_ bv3 32)) b)");
  EXPECT_EQ(store.to_smtlib(store.extract(vector(1), 8, 8), letter), "((_ extract 15 8) b)");
  EXPECT_EQ(store.to_smtlib(store.boolean(true), letter), "true");
  const Term product = store.binary(Op::kMul, vector(1), vector(2));
  EXPECT_EQ(store.to_smtlib(store.binary(Op::kUDiv, product, store.bit_not(product)), letter),
            "(let ((?0 (bvmul b c))) (bvudiv ?0 (bvnot ?0)))");
}

TEST_F(TermTest, TextForPeople) {
  const Term a = vector(0);
  const Term b = vector(1);
  EXPECT_EQ(store.to_text(store.binary(Op::kSLt, store.binary(Op::kAdd, a, number(1)), b), letter),
            "a + 1 < b");
  EXPECT_EQ(store.to_text(store.not_(store.equal(a, number(0))), letter), "a != 0");
  EXPECT_EQ(store.to_text(store.binary(Op::kSub, a, number(2)), letter), "a - 2");
  EXPECT_EQ(store.to_text(store.binary(Op::kMul, store.binary(Op::kAdd, a, b), number(3)), letter),
            "(a + b) * 3");
  EXPECT_EQ(store.to_text(store.binary(Op::kSub, a, store.binary(Op::kSub, b, a)), letter),
            "a - (b - a)");
  const Term c = flag(2);
  const Term d = flag(3);
  EXPECT_EQ(store.to_text(store.not_(store.and_(c, d)), letter), "!(c && d)");
  EXPECT_EQ(store.to_text(store.ite(c, a, b), letter), "c ? a : b");
  EXPECT_EQ(store.to_text(store.extract(a, 8, 8), letter), "a[15:8]");
  EXPECT_EQ(store.to_text(store.zero_extend(vector(4, 8), 32), letter), "(u32)e");
}

} // namespace
} // namespace heddle::logic
