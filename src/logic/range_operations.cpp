// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// What each operation does to ranges. Each computes up to three descriptions that hold on their own
// (an unsigned interval, a signed interval, known bits) and leaves those it has nothing to say
// about at "anything"; what all of them imply together is the result.
#include "logic/range.h"
#include "support/check.h"

#include <algorithm>
#include <array>
#include <bit>

namespace heddle::logic {

namespace {

/// Descriptions under construction; all of them hold.
class Described {
public:
  explicit Described(unsigned width) : range_(Range::full(width)) {}

  void within(std::uint64_t min, std::uint64_t max) {
    add(Range::of_unsigned(min, max, range_.width));
  }
  void within_signed(std::int64_t min, std::int64_t max) {
    add(Range::of_signed(min, max, range_.width));
  }
  void bits(std::uint64_t zeros, std::uint64_t ones) {
    const std::uint64_t mask = mask_of(range_.width);
    add(Range::of_bits(zeros & mask, ones & mask, range_.width));
  }
  void below(unsigned signed_width) {
    const auto half = static_cast<std::int64_t>(mask_of(signed_width) >> 1U);
    within_signed(-half - 1, half);
  }
  [[nodiscard]] Range result() const { return range_; }

private:
  /// Descriptions contradict each other only if an argument has no value at all, which its own
  /// range need not show; then any result is right.
  void add(const Range& other) { range_ = meet(range_, other).value_or(range_); }
  Range range_;
};

Range truth(std::optional<bool> value) {
  return value ? Range::constant(*value ? 1 : 0, 1) : Range::full(1);
}

bool fits(std::int64_t value, unsigned width) {
  return sign_extended(static_cast<std::uint64_t>(value), width) == value;
}

/// a + b as a number, if it is one of `width` bits, signed.
std::optional<std::int64_t> sum(std::int64_t a, std::int64_t b, unsigned width) {
  const auto wrapped =
      static_cast<std::int64_t>(static_cast<std::uint64_t>(a) + static_cast<std::uint64_t>(b));
  // It wrapped around 64 bits exactly if its sign is that of neither.
  if (((wrapped ^ a) & (wrapped ^ b)) < 0 || !fits(wrapped, width))
    return std::nullopt;
  return wrapped;
}

std::optional<std::int64_t> difference(std::int64_t a, std::int64_t b, unsigned width) {
  const auto wrapped =
      static_cast<std::int64_t>(static_cast<std::uint64_t>(a) - static_cast<std::uint64_t>(b));
  if (((a ^ b) & (a ^ wrapped)) < 0 || !fits(wrapped, width))
    return std::nullopt;
  return wrapped;
}

std::uint64_t magnitude(std::int64_t a) {
  return a < 0 ? 0 - static_cast<std::uint64_t>(a) : static_cast<std::uint64_t>(a);
}

std::optional<std::int64_t> product(std::int64_t a, std::int64_t b, unsigned width) {
  const bool is_negative = (a < 0) != (b < 0);
  const std::uint64_t limit = (mask_of(width) >> 1U) + (is_negative ? 1U : 0U);
  if (a != 0 && magnitude(b) > limit / magnitude(a))
    return std::nullopt;
  const std::uint64_t size = magnitude(a) * magnitude(b);
  return static_cast<std::int64_t>(is_negative ? 0 - size : size);
}

unsigned known_low_bits(const Range& a) {
  return static_cast<unsigned>(std::countr_one(a.zeros | a.ones));
}

/// a + b + carry. A bit of the sum is known where both operands' bits and the carry into it are;
/// the carry is known where the smallest and the largest operands give the same.
void describe_sum_bits(
    Described& out, std::uint64_t zeros_a, std::uint64_t ones_a, const Range& b, bool carry) {
  const std::uint64_t smallest = ones_a + b.ones + (carry ? 1 : 0);
  const std::uint64_t largest = ~zeros_a + ~b.zeros + (carry ? 1 : 0);
  const std::uint64_t carry_of_smallest = smallest ^ ones_a ^ b.ones;
  const std::uint64_t carry_of_largest = largest ^ ~zeros_a ^ ~b.zeros;
  const std::uint64_t known =
      (zeros_a | ones_a) & (b.zeros | b.ones) & ~(carry_of_smallest ^ carry_of_largest);
  out.bits(~smallest & known, smallest & known);
}

Range add(const Range& a, const Range& b) {
  const unsigned width = a.width;
  const std::uint64_t mask = mask_of(width);
  Described out(width);
  // All sums wrap or none does.
  const bool can_wrap = a.max > mask - b.max;
  const bool must_wrap = a.min > mask - b.min;
  if (can_wrap == must_wrap)
    out.within((a.min + b.min) & mask, (a.max + b.max) & mask);
  const auto low = sum(a.signed_min, b.signed_min, width);
  const auto high = sum(a.signed_max, b.signed_max, width);
  if (low && high)
    out.within_signed(*low, *high);
  describe_sum_bits(out, a.zeros, a.ones, b, false);
  return out.result();
}

Range subtract(const Range& a, const Range& b) {
  const unsigned width = a.width;
  const std::uint64_t mask = mask_of(width);
  Described out(width);
  if (a.min >= b.max || a.max < b.min) // no difference wraps, or all do
    out.within((a.min - b.max) & mask, (a.max - b.min) & mask);
  const auto low = difference(a.signed_min, b.signed_max, width);
  const auto high = difference(a.signed_max, b.signed_min, width);
  if (low && high)
    out.within_signed(*low, *high);
  Range complement = b; // a − b = a + ¬b + 1
  complement.zeros = b.ones;
  complement.ones = b.zeros;
  describe_sum_bits(out, a.zeros, a.ones, complement, true);
  return out.result();
}

Range multiply(const Range& a, const Range& b) {
  const unsigned width = a.width;
  Described out(width);
  if (b.max == 0 || a.max <= mask_of(width) / b.max)
    out.within(a.min * b.min, a.max * b.max);
  const std::array corners = {product(a.signed_min, b.signed_min, width),
                              product(a.signed_min, b.signed_max, width),
                              product(a.signed_max, b.signed_min, width),
                              product(a.signed_max, b.signed_max, width)};
  if (std::ranges::all_of(corners, [](const auto& corner) { return corner.has_value(); })) {
    const auto [low, high] =
        std::ranges::minmax(corners, [](const auto& x, const auto& y) { return *x < *y; });
    out.within_signed(*low, *high);
  }
  const std::uint64_t known = mask_of(std::min(known_low_bits(a), known_low_bits(b)));
  out.bits(~(a.ones * b.ones) & known, (a.ones * b.ones) & known);
  const int zeros = std::countr_one(a.zeros) + std::countr_one(b.zeros);
  out.bits(mask_of(static_cast<unsigned>(std::min(zeros, 64))), 0);
  return out.result();
}

Range divide_unsigned(const Range& a, const Range& b) {
  const unsigned width = a.width;
  if (b.max == 0)
    return Range::constant(mask_of(width), width);
  Described out(width);
  out.within(a.min / b.max, b.min == 0 ? mask_of(width) : a.max / b.min);
  return out.result();
}

Range remainder_unsigned(const Range& a, const Range& b) {
  if (b.max == 0 || a.max < b.min)
    return a;
  Described out(a.width);
  out.within(0, b.min == 0 ? a.max : std::min(a.max, b.max - 1));
  return out.result();
}

Range divide_signed(const Range& a, const Range& b) {
  const unsigned width = a.width;
  Described out(width);
  if (b.signed_min > 0) {
    out.within_signed(a.signed_min / (a.signed_min < 0 ? b.signed_min : b.signed_max),
                      a.signed_max / (a.signed_max < 0 ? b.signed_max : b.signed_min));
    return out.result();
  }
  // No quotient is larger than the dividend, but that of the lowest number by −1 wraps, and
  // division by 0 gives 1 or −1.
  const std::uint64_t largest =
      std::max({magnitude(a.signed_min), magnitude(a.signed_max), std::uint64_t{1}});
  if (largest <= mask_of(width) >> 1U)
    out.within_signed(-static_cast<std::int64_t>(largest), static_cast<std::int64_t>(largest));
  return out.result();
}

Range remainder_signed(const Range& a, const Range& b) {
  Described out(a.width);
  std::int64_t low = std::min<std::int64_t>(a.signed_min, 0);
  std::int64_t high = std::max<std::int64_t>(a.signed_max, 0);
  if (b.signed_min > 0 || b.signed_max < 0) {
    const auto limit =
        static_cast<std::int64_t>(std::max(magnitude(b.signed_min), magnitude(b.signed_max)) - 1);
    low = std::max(low, -limit);
    high = std::min(high, limit);
  }
  out.within_signed(low, high);
  return out.result();
}

Range bitwise(Op op, const Range& a, const Range& b) {
  Described out(a.width);
  if (op == Op::kBitAnd || op == Op::kAnd) {
    out.bits(a.zeros | b.zeros, a.ones & b.ones);
    out.within(0, std::min(a.max, b.max));
  } else if (op == Op::kBitOr || op == Op::kOr) {
    out.bits(a.zeros & b.zeros, a.ones | b.ones);
    out.within(std::max(a.min, b.min), mask_of(a.width));
  } else {
    out.bits((a.zeros & b.zeros) | (a.ones & b.ones), (a.zeros & b.ones) | (a.ones & b.zeros));
  }
  // Where both operands' bits are copies of the sign, so are the result's.
  out.below(std::max(a.signed_width(), b.signed_width()));
  return out.result();
}

Range complement(const Range& a) {
  const std::uint64_t mask = mask_of(a.width);
  Described out(a.width);
  out.within(mask - a.max, mask - a.min);
  out.within_signed(~a.signed_max, ~a.signed_min);
  out.bits(a.ones, a.zeros);
  return out.result();
}

Range shift_left(const Range& a, const Range& amount) {
  const unsigned width = a.width;
  if (amount.min >= width)
    return Range::constant(0, width);
  const auto least = static_cast<unsigned>(amount.min);
  Described out(width);
  out.bits(mask_of(least + static_cast<unsigned>(std::countr_one(a.zeros))), 0);
  if (amount.max >= width)
    return out.result();
  const auto most = static_cast<unsigned>(amount.max);
  if (a.max <= mask_of(width) >> most)
    out.within(a.min << least, a.max << most);
  if (a.signed_width() + most <= width) {
    const auto shifted = [](std::int64_t value, unsigned steps) {
      return static_cast<std::int64_t>(static_cast<std::uint64_t>(value) << steps);
    };
    out.within_signed(shifted(a.signed_min, a.signed_min < 0 ? most : least),
                      shifted(a.signed_max, a.signed_max < 0 ? least : most));
  }
  if (least == most)
    out.bits((a.zeros << least) | (mask_of(least) & mask_of(width)), a.ones << least);
  return out.result();
}

Range shift_right(const Range& a, const Range& amount) {
  const unsigned width = a.width;
  if (amount.min >= width)
    return Range::constant(0, width);
  Described out(width);
  out.within(amount.max >= width ? 0 : a.min >> amount.max, a.max >> amount.min);
  if (amount.is_constant())
    out.bits((a.zeros >> amount.min) | ~(mask_of(width) >> amount.min), a.ones >> amount.min);
  return out.result();
}

Range shift_right_signed(const Range& a, const Range& amount) {
  const unsigned width = a.width;
  const std::uint64_t least = std::min<std::uint64_t>(amount.min, width - 1);
  const std::uint64_t most = std::min<std::uint64_t>(amount.max, width - 1);
  Described out(width);
  out.within_signed(a.signed_min >> (a.signed_min < 0 ? least : most),
                    a.signed_max >> (a.signed_max < 0 ? most : least));
  if (least == most) {
    const std::uint64_t kept = mask_of(width) >> least;
    out.bits((a.zeros >> least) & kept, (a.ones >> least) & kept);
  }
  return out.result();
}

Range concatenate(const Range& high, const Range& low, unsigned width) {
  const unsigned steps = low.width;
  Described out(width);
  out.within((high.min << steps) | low.min, (high.max << steps) | low.max);
  out.bits((high.zeros << steps) | low.zeros, (high.ones << steps) | low.ones);
  return out.result();
}

Range extract(const Range& a, unsigned low, unsigned width) {
  const std::uint64_t mask = mask_of(width);
  Described out(width);
  out.bits(a.zeros >> low, a.ones >> low);
  const std::uint64_t min = a.min >> low;
  const std::uint64_t max = a.max >> low;
  if ((min & ~mask) == (max & ~mask))
    out.within(min & mask, max & mask);
  const std::int64_t signed_min = a.signed_min >> low;
  const std::int64_t signed_max = a.signed_max >> low;
  if (fits(signed_min, width) && fits(signed_max, width))
    out.within_signed(signed_min, signed_max);
  return out.result();
}

Range extend_zero(const Range& a, unsigned width) {
  Described out(width);
  out.within(a.min, a.max);
  out.bits(a.zeros | ~mask_of(a.width), a.ones);
  return out.result();
}

Range extend_sign(const Range& a, unsigned width) {
  Described out(width);
  out.within_signed(a.signed_min, a.signed_max);
  out.bits(a.zeros, a.ones);
  return out.result();
}

std::optional<bool> less(const Range& a, const Range& b) {
  if (a.max < b.min)
    return true;
  if (a.min >= b.max)
    return false;
  return std::nullopt;
}

std::optional<bool> less_signed(const Range& a, const Range& b) {
  if (a.signed_max < b.signed_min)
    return true;
  if (a.signed_min >= b.signed_max)
    return false;
  return std::nullopt;
}

std::optional<bool> negated(std::optional<bool> value) {
  return value ? std::optional(!*value) : std::nullopt;
}

} // namespace

Range apply_range(
    Op op, Sort result, Sort argument, std::uint64_t value, std::span<const Range> arguments) {
  const auto a = [&]() -> const Range& { return arguments[0]; };
  const auto b = [&]() -> const Range& { return arguments[1]; };
  const unsigned width = std::max<unsigned>(result.width, 1);
  HEDDLE_CHECK(arguments.empty() || a().width == std::max<unsigned>(argument.width, 1),
               "an argument's range has its width");
  switch (op) {
  case Op::kConstant:
    return Range::constant(value, width);
  case Op::kVariable:
    return Range::full(width);
  case Op::kNot:
  case Op::kBitNot:
    return complement(a());
  case Op::kAnd:
  case Op::kOr:
  case Op::kBitAnd:
  case Op::kBitOr:
  case Op::kBitXor:
    return bitwise(op, a(), b());
  case Op::kEqual:
    if (!meet(a(), b()))
      return truth(false);
    return a().is_constant() && b().is_constant() ? truth(true) : truth(std::nullopt);
  case Op::kULt:
    return truth(less(a(), b()));
  case Op::kULe:
    return truth(negated(less(b(), a())));
  case Op::kSLt:
    return truth(less_signed(a(), b()));
  case Op::kSLe:
    return truth(negated(less_signed(b(), a())));
  case Op::kIte:
    return a().is_constant() ? arguments[a().min != 0 ? 1 : 2] : hull(arguments[1], arguments[2]);
  case Op::kAdd:
    return add(a(), b());
  case Op::kSub:
    return subtract(a(), b());
  case Op::kMul:
    return multiply(a(), b());
  case Op::kUDiv:
    return divide_unsigned(a(), b());
  case Op::kURem:
    return remainder_unsigned(a(), b());
  case Op::kSDiv:
    return divide_signed(a(), b());
  case Op::kSRem:
    return remainder_signed(a(), b());
  case Op::kNegate:
    return subtract(Range::constant(0, width), a());
  case Op::kShl:
    return shift_left(a(), b());
  case Op::kLShr:
    return shift_right(a(), b());
  case Op::kAShr:
    return shift_right_signed(a(), b());
  case Op::kConcat:
    return concatenate(a(), b(), width);
  case Op::kExtract:
    return extract(a(), static_cast<unsigned>(value), width);
  case Op::kZeroExtend:
    return extend_zero(a(), width);
  case Op::kSignExtend:
    return extend_sign(a(), width);
  }
  HEDDLE_CHECK(false, "an operation out of range");
}

} // namespace heddle::logic
