// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Ranges contain every value a term can have (all of them tried at small widths), and are tight
// where it matters.
#include "logic/range.h"
#include "logic/range_where.h"
#include "reference.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <array>
#include <map>

namespace heddle::logic {
namespace {

constexpr std::array kBinary = {
    Op::kAnd,    Op::kOr,    Op::kEqual,  Op::kULt,  Op::kULe,  Op::kSLt,  Op::kSLe,
    Op::kAdd,    Op::kSub,   Op::kMul,    Op::kUDiv, Op::kURem, Op::kSDiv, Op::kSRem,
    Op::kBitAnd, Op::kBitOr, Op::kBitXor, Op::kShl,  Op::kLShr, Op::kAShr, Op::kConcat};

Sort sort_of(unsigned width) {
  return Sort{static_cast<std::uint8_t>(width)};
}

/// Every interval, signed interval and choice of known bits.
std::vector<Range> all_ranges(unsigned width) {
  const std::uint64_t mask = mask_of(width);
  std::vector<Range> ranges;
  for (std::uint64_t low = 0; low <= mask; ++low) {
    for (std::uint64_t high = low; high <= mask; ++high)
      ranges.push_back(Range::of_unsigned(low, high, width));
    for (std::uint64_t high = 0; high <= mask; ++high)
      if (sign_extended(low, width) <= sign_extended(high, width))
        ranges.push_back(
            Range::of_signed(sign_extended(low, width), sign_extended(high, width), width));
    for (std::uint64_t ones = 0; ones <= mask; ++ones)
      if ((low & ones) == 0)
        ranges.push_back(Range::of_bits(low, ones, width));
  }
  return ranges;
}

std::vector<std::uint64_t> values_of(const Range& range) {
  std::vector<std::uint64_t> values;
  for (std::uint64_t value = 0; value <= mask_of(range.width); ++value)
    if (range.contains(value))
      values.push_back(value);
  return values;
}

void expect_binary(Op op, const Range& a, const Range& b) {
  const bool is_bool_operation = op == Op::kAnd || op == Op::kOr;
  const bool is_comparison = op >= Op::kEqual && op <= Op::kSLe;
  const Sort argument = is_bool_operation ? Sort{} : sort_of(a.width);
  const Sort result = is_bool_operation || is_comparison ? Sort{}
                      : op == Op::kConcat                ? sort_of(a.width + b.width)
                                                         : sort_of(a.width);
  const Range range = apply_range(op, result, argument, 0, std::array{a, b});
  for (const std::uint64_t x : values_of(a))
    for (const std::uint64_t y : values_of(b)) {
      const std::uint64_t value = apply(op, result, argument, 0, std::array{x, y});
      ASSERT_TRUE(range.contains(value))
          << "operation " << static_cast<int>(op) << ", width " << unsigned{a.width} << ": " << x
          << ", " << y << " gives " << value << " outside [" << range.min << ", " << range.max
          << "], [" << range.signed_min << ", " << range.signed_max << "]";
    }
}

TEST(RangeProperty, BinaryOperationsContainAllValuesOfSmallRanges) {
  for (unsigned width = 1; width <= 3; ++width) {
    const std::vector<Range> ranges = all_ranges(width);
    for (const Op op : kBinary) {
      if ((op == Op::kAnd || op == Op::kOr) && width > 1)
        continue;
      for (const Range& a : ranges)
        for (const Range& b : ranges) {
          expect_binary(op, a, b);
          if (HasFatalFailure())
            return;
        }
    }
  }
}

/// The hull of a few values, perhaps cut by another description that holds of them.
Range random_range(Rng& rng, unsigned width) {
  Range range = Range::constant(random_value(rng, width), width);
  for (std::uint64_t i = rng.below(4); i > 0; --i) {
    const std::uint64_t near = (range.min + rng.below(8)) & mask_of(width);
    const std::uint64_t next = rng.chance(1, 2) ? near : random_value(rng, width);
    range = hull(range, Range::constant(next, width));
  }
  return range;
}

TEST(RangeProperty, BinaryOperationsContainAllValuesOfRandomRanges) {
  EXPECT_TRUE(rc::check("binary", [](std::uint64_t seed) {
    Rng rng(seed);
    for (int round = 0; round < 20; ++round) {
      const auto width = static_cast<unsigned>(4 + rng.below(3));
      const Range a = random_range(rng, width);
      const Range b = random_range(rng, width);
      for (const Op op : kBinary)
        if (op != Op::kAnd && op != Op::kOr)
          expect_binary(op, a, b);
    }
    RC_ASSERT(!testing::Test::HasFatalFailure());
  }));
}

TEST(RangeProperty, UnaryOperationsContainAllValues) {
  for (unsigned width = 1; width <= 4; ++width) {
    for (const Range& a : all_ranges(width)) {
      const auto expect = [&](Op op, unsigned result, std::uint64_t value) {
        const Range range = apply_range(op, sort_of(result), sort_of(width), value, std::array{a});
        for (const std::uint64_t x : values_of(a))
          ASSERT_TRUE(
              range.contains(apply(op, sort_of(result), sort_of(width), value, std::array{x})))
              << "operation " << static_cast<int>(op) << " on " << x << ", width " << width;
      };
      expect(Op::kBitNot, width, 0);
      expect(Op::kNegate, width, 0);
      for (unsigned low = 0; low < width; ++low)
        for (unsigned count = 1; low + count <= width; ++count)
          expect(Op::kExtract, count, low);
      for (unsigned wide = width + 1; wide <= width + 3; ++wide) {
        expect(Op::kZeroExtend, wide, 0);
        expect(Op::kSignExtend, wide, 0);
      }
      if (HasFatalFailure())
        return;
    }
  }
}

TEST(RangeProperty, HullAndMeetAreAboutTheSetsOfValues) {
  for (unsigned width = 1; width <= 3; ++width) {
    const std::vector<Range> ranges = all_ranges(width);
    for (const Range& a : ranges) {
      for (const Range& b : ranges) {
        const Range both = hull(a, b);
        const std::optional<Range> common = meet(a, b);
        for (std::uint64_t value = 0; value <= mask_of(width); ++value) {
          ASSERT_TRUE(both.contains(value) || (!a.contains(value) && !b.contains(value)));
          const bool is_common = a.contains(value) && b.contains(value);
          ASSERT_EQ(common && common->contains(value), is_common);
        }
      }
    }
  }
}

TEST(RangeProperty, WidthsHoldAllValues) {
  for (const Range& range : all_ranges(4)) {
    for (const std::uint64_t value : values_of(range)) {
      ASSERT_EQ(value & mask_of(range.unsigned_width()), value);
      const std::uint64_t low = value & mask_of(range.signed_width());
      ASSERT_EQ(static_cast<std::uint64_t>(sign_extended(low, range.signed_width())) & 15U, value);
    }
  }
}

TEST(RangeProperty, TermsStayWithinTheirRanges) {
  EXPECT_TRUE(rc::check("terms", [](std::uint64_t seed) {
    Rng rng(seed);
    TermStore store;
    for (int round = 0; round < 40; ++round) {
      std::map<std::uint64_t, Range> given;
      RangeAnalysis analysis(store, [&](Term variable) -> std::optional<Range> {
        const Node& node = store.node(variable);
        const unsigned width = std::max<unsigned>(node.sort.width, 1);
        const Range range = random_range(rng, width);
        return given.emplace(node.value, range).first->second;
      });
      const auto width = static_cast<unsigned>(rng.below(65));
      const Term term =
          build(store, random_tree(rng, width, static_cast<unsigned>(1 + rng.below(5))));
      const Range range = analysis.range(term);
      for (int trial = 0; trial < 8; ++trial) {
        std::map<std::uint64_t, std::uint64_t> values;
        const std::uint64_t value = store.evaluate(term, [&](std::uint64_t number) {
          const Range& of = given.at(number);
          const std::uint64_t offset = random_value(rng, of.width);
          std::uint64_t chosen = rng.chance(1, 2) ? of.min : of.max;
          for (const std::uint64_t candidate :
               {offset, of.min + (of.max == of.min ? 0 : offset % (of.max - of.min))})
            if (of.contains(candidate))
              chosen = candidate;
          if (!of.contains(chosen))
            chosen = of.min; // a hull of constants contains its bounds
          return values.emplace(number, chosen).first->second;
        });
        RC_ASSERT(range.contains(value));
      }
    }
  }));
}

class RangeTest : public testing::Test {
protected:
  Term vector(std::uint64_t number, unsigned width = 32) {
    return store.variable(number, sort_of(width));
  }
  TermStore store;
};

TEST_F(RangeTest, SmallOperandsGiveSmallResults) {
  RangeAnalysis analysis(store, [](Term) { return Range::of_unsigned(0, 31, 32); });
  const Term a = vector(0);
  const Term b = vector(1);
  EXPECT_EQ(analysis.range(store.binary(Op::kAdd, a, b)), Range::of_unsigned(0, 62, 32));
  EXPECT_EQ(analysis.range(store.binary(Op::kAdd, a, b)).unsigned_width(), 6U);
  EXPECT_EQ(analysis.range(store.binary(Op::kMul, a, b)).unsigned_width(), 10U);
  EXPECT_EQ(analysis.range(store.binary(Op::kSub, a, b)).signed_width(), 6U);
  EXPECT_EQ(analysis.range(store.binary(Op::kURem, a, store.constant(10, 32))).max, 9U);
  EXPECT_TRUE(analysis.range(store.binary(Op::kULt, a, store.constant(32, 32))).is_constant());
  EXPECT_EQ(analysis.range(store.binary(Op::kShl, a, store.constant(3, 32))).zeros & 7U, 7U);
}

TEST_F(RangeTest, RangesMadeByHandAreTightened) {
  Range loose = Range::full(32);
  loose.max = 31;
  RangeAnalysis analysis(store, [&](Term) { return loose; });
  EXPECT_EQ(analysis.range(vector(0)), Range::of_unsigned(0, 31, 32));
  Range empty = loose;
  empty.ones = 64;
  EXPECT_EQ(empty.tightened(), Range::full(32));
}

TEST_F(RangeTest, VariablesMayBeAskedThroughTheAnalysisItself) {
  // The state after s steps: the one before, or that plus 3.
  constexpr unsigned kSteps = 500;
  RangeAnalysis* analysis = nullptr;
  unsigned asked = 0;
  RangeAnalysis ranges(store, [&](Term variable) -> std::optional<Range> {
    ++asked;
    const std::uint64_t step = store.node(variable).value;
    if (step == 0)
      return Range::constant(0, 32);
    const Term before = vector(step - 1);
    const Term next = store.binary(Op::kAdd, before, store.constant(3, 32));
    return hull(analysis->range(before), analysis->range(next));
  });
  analysis = &ranges;
  EXPECT_EQ(ranges.range(vector(kSteps)), Range::of_unsigned(0, 3 * kSteps, 32));
  EXPECT_EQ(ranges.range(vector(kSteps)).unsigned_width(), 11U);
  EXPECT_EQ(asked, kSteps + 1);
}

TEST_F(RangeTest, DeepTermsNeedNoStack) {
  Term sum = vector(0);
  for (unsigned i = 1; i < 200000; ++i)
    sum = store.binary(Op::kBitXor, sum, vector(i));
  RangeAnalysis analysis(store);
  EXPECT_EQ(analysis.range(sum), Range::full(32));
}

// Two threads add each other's variable to their own, n times: values are Fibonacci numbers,
// although every read may see a write that depends on every read.
TEST_F(RangeTest, TheOrderBoundsValuesAroundStaticCycles) {
  constexpr unsigned kIterations = 5;
  const auto read = [&](unsigned thread, unsigned k, unsigned operand) {
    return vector(100 * thread + 2 * k + operand);
  };
  const auto written = [&](unsigned thread, unsigned k) {
    return store.binary(Op::kAdd, read(thread, k, 0), read(thread, k, 1));
  };
  const auto flows_of = [&](bool has_order) {
    std::vector<Flow> flows;
    for (unsigned thread = 0; thread < 2; ++thread) {
      for (unsigned k = 0; k < kIterations; ++k) {
        // Its own variable: the last own write. The other's: any write, or the initial value. A
        // chain that ends here passes once through iterations up to this one, and the other's.
        Flow own = {read(thread, k, 0), {k == 0 ? store.constant(1, 32) : written(thread, k - 1)}};
        Flow other = {read(thread, k, 1), {store.constant(1, 32)}};
        for (unsigned i = 0; i < kIterations; ++i)
          other.sources.push_back(written(1 - thread, i));
        if (has_order)
          own.longest_chain = other.longest_chain = k + 1 + kIterations;
        flows.push_back(std::move(own));
        flows.push_back(std::move(other));
      }
    }
    return flows;
  };
  const Term last = read(0, kIterations - 1, 1);
  const Range range = flow_ranges(store, flows_of(true)).at(last);
  EXPECT_EQ(range.min, 1U);
  EXPECT_GE(range.max, 89U);   // reachable: Fibonacci(11)
  EXPECT_LE(range.max, 1024U); // doubling at each step of the chain
  const Range first = flow_ranges(store, flows_of(true)).at(read(0, 0, 1));
  EXPECT_LT(first.max, range.max);
  // Without the order, a chain may pass through all reads.
  EXPECT_GT(flow_ranges(store, flows_of(false)).at(last).max, 1024U);
}

// What is found is 0, or what was written where 1 was found: a circle of conditions, not of values.
TEST_F(RangeTest, FlowRangesMayKnowNothingOfConditions) {
  const Term found = vector(0);
  const Term other = vector(1);
  const Term zero = store.constant(0, 32);
  const Term one = store.constant(1, 32);
  const std::vector<Flow> flows = {
      {found, {zero, store.ite(store.equal(found, one), other, zero)}, 3}, {other, {one}, 1}};
  EXPECT_EQ(flow_ranges(store, flows).at(found).max, 0U);
  EXPECT_EQ(flow_ranges(store, flows, {}, Conditions::kArbitrary).at(found).max, 1U);
}

// Runs of the program above, all interleavings of atomic iterations: every value read is in range.
TEST_F(RangeTest, FlowRangesContainWhatExecutionsRead) {
  constexpr unsigned kIterations = 4;
  std::vector<Flow> flows;
  for (unsigned k = 0; k < kIterations; ++k) {
    for (unsigned thread = 0; thread < 2; ++thread) {
      // Thread 0: x = x - 2 * y; thread 1: y = y + x.
      const Term own = vector(4 * k + 2 * thread);
      const Term other = vector(4 * k + 2 * thread + 1);
      const auto value = [&](unsigned t, unsigned i) {
        const Term a = vector(4 * i + 2 * t);
        const Term b = vector(4 * i + 2 * t + 1);
        return t == 0 ? store.binary(Op::kSub, a, store.binary(Op::kMul, b, store.constant(2, 32)))
                      : store.binary(Op::kAdd, a, b);
      };
      flows.push_back(
          {own, {k == 0 ? store.constant(1, 32) : value(thread, k - 1)}, k + 1 + kIterations});
      Flow flow = {other, {store.constant(1, 32)}, k + 1 + kIterations};
      for (unsigned i = 0; i < kIterations; ++i)
        flow.sources.push_back(value(1 - thread, i));
      flows.push_back(std::move(flow));
    }
  }
  const auto ranges = flow_ranges(store, flows);
  for (unsigned schedule = 0; schedule < 1U << (2 * kIterations); ++schedule) {
    std::array<std::uint32_t, 2> memory = {1, 1};
    std::array<unsigned, 2> done = {0, 0};
    for (unsigned s = 0; s < 2 * kIterations; ++s) {
      const unsigned thread = schedule >> s & 1U;
      if (done[thread] == kIterations)
        continue;
      const unsigned k = done[thread]++;
      ASSERT_TRUE(ranges.at(vector(4 * k + 2 * thread)).contains(memory[thread]));
      ASSERT_TRUE(ranges.at(vector(4 * k + 2 * thread + 1)).contains(memory[1 - thread]));
      memory[thread] = thread == 0 ? memory[0] - 2 * memory[1] : memory[1] + memory[0];
    }
  }
  EXPECT_LT(ranges.at(vector(1)).signed_width(), 32U);
}

TEST_F(RangeTest, FlowsFollowChainsToTheirEnd) {
  // v(i + 1) = v(i) + 1, v(0) = 7, given in an order that does not help.
  for (const unsigned length : {40U, 1000U}) {
    std::vector<Flow> flows;
    for (unsigned i = length; i-- > 0;)
      flows.push_back({vector(i + 1), {store.binary(Op::kAdd, vector(i), store.constant(1, 32))}});
    flows.push_back({vector(0), {store.constant(7, 32)}});
    const auto ranges = flow_ranges(store, flows);
    ASSERT_TRUE(ranges.at(vector(length)).contains(7 + length));
    // Long chains are given up, short ones are exact.
    EXPECT_EQ(ranges.at(vector(length)).is_constant(), length == 40);
    EXPECT_EQ(ranges.at(vector(30)), Range::constant(37, 32));
  }
}

// A read that is not executed has no source in that execution; what does not depend on it keeps
// its value.
TEST_F(RangeTest, ReadsWithoutAValueDoNotHideTheOthers) {
  const Term guard = store.variable(9, Sort{});
  const Term never = vector(1);
  const std::vector<Flow> flows = {{never, {}},
                                   {vector(0), {store.ite(guard, never, store.constant(5, 32))}}};
  const auto ranges = flow_ranges(store, flows);
  EXPECT_TRUE(ranges.at(vector(0)).contains(5));
  EXPECT_FALSE(ranges.contains(never));
}

TEST(RangeWhere, ContainsWhateverSatisfiesTheCondition) {
  constexpr std::array kCompare = {Op::kEqual, Op::kULt, Op::kULe, Op::kSLt, Op::kSLe};
  constexpr unsigned kWidth = 3;
  TermStore store;
  const Term x = store.variable(0, sort_of(kWidth));
  const std::array forms = {x, store.zero_extend(x, kWidth + 1), store.sign_extend(x, kWidth + 1)};
  std::vector<Term> comparisons;
  for (const Term form : forms) {
    const unsigned width = store.sort(form).width;
    for (const Op op : kCompare) {
      for (std::uint64_t bound = 0; bound <= mask_of(width); ++bound) {
        const Term constant = store.constant(bound, width);
        for (const Term one :
             {store.binary(op, form, constant), store.binary(op, constant, form)}) {
          comparisons.push_back(one);
          comparisons.push_back(store.not_(one));
        }
      }
    }
  }
  for (const Term a : comparisons) {
    for (const Term b :
         {store.boolean(true), comparisons[comparisons.size() / 3], comparisons[7]}) {
      const Term condition = store.and_(a, b);
      const Range range = ranges_where(store, condition)(x).value_or(Range::full(kWidth));
      for (std::uint64_t value = 0; value <= mask_of(kWidth); ++value) {
        const bool holds = store.evaluate(condition, [&](std::uint64_t) { return value; }) != 0;
        EXPECT_TRUE(!holds || range.contains(value));
      }
    }
  }
}

TEST(RangeWhere, BothBoundsOfAnIndexCount) {
  TermStore store;
  const Term n = store.variable(0, sort_of(32));
  const Term is_positive = store.binary(Op::kSLt, store.constant(0, 32), n);
  const Term is_small = store.not_(store.binary(Op::kSLt, store.constant(3, 32), n));
  RangeAnalysis ranges(store, ranges_where(store, store.and_(is_positive, is_small)));
  const Term size = store.binary(Op::kMul, store.sign_extend(n, 64), store.constant(4, 64));
  EXPECT_EQ(ranges.range(size).min, 4U);
  EXPECT_EQ(ranges.range(size).max, 12U);
}

} // namespace
} // namespace heddle::logic
