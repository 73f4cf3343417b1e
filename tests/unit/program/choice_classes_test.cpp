// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "program/analyse/choice_classes.h"
#include "support/rng.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace heddle::program {
namespace {

using logic::Op;
using Values = std::vector<std::uint64_t>;

constexpr unsigned kWidth = 10; // more values than are tried

/// Locals 0 … 3, of which 0 gets a value; then conditions and assignments one after the other.
class Chain {
public:
  Chain() {
    for (int i = 0; i < 4; ++i)
      procedure_.locals.push_back({"", kWidth, {}});
    add(Nondet{LocalId{std::size_t{0}}, "n"});
  }
  Term local(std::size_t index) { return terms_.variable(index, {kWidth}); }
  Term constant(std::uint64_t value) { return terms_.constant(value, kWidth); }
  void add(Action action) {
    const auto from =
        procedure_.locations.push_back({{static_cast<std::uint32_t>(procedure_.edges.size())}, {}});
    procedure_.edges.push_back({from, LocationId{from.index() + 1}, std::move(action), {}});
  }
  void assume(Term condition) { add(Assume{condition, false}); }
  [[nodiscard]] Values classes() const {
    Procedure whole = procedure_;
    whole.locations.push_back({}); // where it ends
    return choice_classes(terms_, whole)[0];
  }
  [[nodiscard]] logic::TermStore& terms() { return terms_; }

private:
  logic::TermStore terms_;
  Procedure procedure_;
};

TEST(ChoiceClasses, ATruthValueHasTwo) {
  Chain chain;
  chain.assume(chain.terms().equal(chain.local(0), chain.constant(0)));
  EXPECT_EQ(chain.classes(), (Values{0, 1}));
}

TEST(ChoiceClasses, ValuesThatNobodyLooksAtHaveOne) {
  const Chain chain;
  EXPECT_EQ(chain.classes(), Values{0});
}

TEST(ChoiceClasses, SignedAndUnsignedOrder) {
  Chain chain;
  chain.assume(chain.terms().binary(Op::kSLt, chain.local(0), chain.constant(5)));
  EXPECT_EQ(chain.classes(), (Values{0, 5, 512}));
  chain.assume(chain.terms().binary(Op::kULe, chain.local(0), chain.constant(40)));
  EXPECT_EQ(chain.classes(), (Values{0, 5, 41, 512}));
}

TEST(ChoiceClasses, CopiesAreFollowed) {
  Chain chain;
  chain.add(Assign{LocalId{std::size_t{1}}, chain.local(0)});
  chain.add(AssignSequence{{{LocalId{std::size_t{2}}, chain.local(1)}}});
  chain.assume(chain.terms().equal(chain.local(2), chain.constant(7)));
  EXPECT_EQ(chain.classes(), (Values{0, 7, 8}));
  chain.add(Return{chain.local(2)});
  EXPECT_TRUE(chain.classes().empty());
}

TEST(ChoiceClasses, WhatAnAssumptionDiscardsIsTriedOnce) {
  Chain chain;
  const Term square = chain.terms().binary(Op::kMul, chain.local(0), chain.local(0));
  chain.add(
      Assign{LocalId{std::size_t{1}},
             chain.terms().ite(chain.terms().binary(Op::kULt, chain.local(0), chain.constant(4)),
                               chain.constant(1),
                               chain.constant(0))});
  chain.assume(chain.terms().binary(Op::kULe, square, chain.constant(50))); // may hold or not
  chain.assume(chain.terms().equal(chain.local(1), chain.constant(1)));
  chain.add(Return{square});
  EXPECT_EQ(chain.classes(), (Values{0, 1, 2, 3, 4}));
}

TEST(ChoiceClasses, WhatIsSeenBeforeItIsDiscardedIsNotLeftOut) {
  Chain chain;
  chain.add(Return{chain.local(0)});
  chain.assume(chain.terms().binary(Op::kULt, chain.local(0), chain.constant(4)));
  EXPECT_TRUE(chain.classes().empty());
}

TEST(ChoiceClasses, WhatIsComputedWithHasNone) {
  for (const bool is_sum : {false, true}) {
    Chain chain;
    chain.assume(
        is_sum ? chain.terms().equal(chain.terms().binary(Op::kMul, chain.local(0), chain.local(0)),
                                     chain.constant(9))
               : chain.terms().equal(chain.local(0), chain.local(1)));
    EXPECT_TRUE(chain.classes().empty());
  }
}

/// For each value there is one among the classes of which every comparison says the same.
TEST(ChoiceClasses, OneOfEachPieceIsThere) {
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    Rng rng(seed);
    Chain chain;
    std::vector<Term> conditions;
    for (std::uint64_t i = 0; i < 1 + rng.below(4); ++i) {
      const Op ops[] = {Op::kEqual, Op::kULt, Op::kULe, Op::kSLt, Op::kSLe};
      const Term constant = chain.constant(rng.below(1U << kWidth));
      const bool is_left = rng.chance(1, 2);
      const Op op = ops[rng.below(5)];
      const Term left = is_left ? chain.local(0) : constant;
      const Term right = is_left ? constant : chain.local(0);
      conditions.push_back(op == Op::kEqual ? chain.terms().equal(left, right)
                                            : chain.terms().binary(op, left, right));
      chain.assume(rng.chance(1, 2) ? conditions.back() : chain.terms().not_(conditions.back()));
    }
    const Values classes = chain.classes();
    ASSERT_FALSE(classes.empty());
    const auto says = [&](Term condition, std::uint64_t value) {
      return chain.terms().evaluate(condition, [value](std::uint64_t) { return value; });
    };
    for (std::uint64_t value = 0; value < 1U << kWidth; ++value)
      EXPECT_TRUE(std::ranges::any_of(classes,
                                      [&](std::uint64_t other) {
                                        return std::ranges::all_of(conditions, [&](Term condition) {
                                          return says(condition, value) == says(condition, other);
                                        });
                                      }))
          << "seed " << seed << " value " << value;
    EXPECT_LE(classes.size(), 2 * conditions.size() + 2);
  }
}

} // namespace
} // namespace heddle::program
