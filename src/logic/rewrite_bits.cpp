// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// The factories that take bit-vectors apart and put them together; rewrite.cpp says what every rule
// keeps to. The recursion here always goes to a term with fewer bits, so it is at most 64 deep.
#include "logic/term.h"
#include "support/check.h"

#include <array>

namespace heddle::logic {

namespace {

Sort sort_of(unsigned width) {
  return Sort{static_cast<std::uint8_t>(width)};
}

bool low_bits_need_low_bits_only(Op op) {
  return op == Op::kAdd || op == Op::kSub || op == Op::kMul || op == Op::kBitAnd ||
         op == Op::kBitOr || op == Op::kBitXor;
}

} // namespace

Term TermStore::concat(Term high, Term low) {
  const unsigned low_width = sort(low).width;
  const unsigned width = sort(high).width + low_width;
  HEDDLE_CHECK(!sort(high).is_bool() && !sort(low).is_bool(), "concat takes bit-vectors");
  HEDDLE_CHECK(width <= 64, "a bit-vector has at most 64 bits");
  if (is_constant(high) && is_constant(low))
    return constant(value(high) << low_width | value(low), width);
  if (is_value(high, 0))
    return zero_extend(low, width);
  // Neighbouring parts of one term come together again.
  if (is(high, Op::kExtract) && is(low, Op::kExtract) && argument(high, 0) == argument(low, 0) &&
      value(high) == value(low) + low_width)
    return extract(argument(high, 0), static_cast<unsigned>(value(low)), width);
  if (is(high, Op::kZeroExtend)) { // zeros above stay above
    const Term inner = argument(high, 0);
    return zero_extend(concat(inner, low), width);
  }
  return intern(Op::kConcat, sort_of(width), 0, std::array{high, low});
}

Term TermStore::extract(Term a, unsigned low, unsigned width) {
  const unsigned from = sort(a).width;
  HEDDLE_CHECK(width >= 1 && low < from && width <= from - low, "extract takes bits that exist");
  if (width == from)
    return a;
  if (const auto folded = fold(Op::kExtract, sort_of(width), low, std::array{a}))
    return *folded;
  if (const auto simpler = extract_from(a, low, width))
    return *simpler;
  return intern(Op::kExtract, sort_of(width), low, std::array{a});
}

std::optional<Term> TermStore::extract_from(Term a, unsigned low, unsigned width) {
  const unsigned end = low + width;
  if (is(a, Op::kExtract))
    return extract(argument(a, 0), static_cast<unsigned>(value(a)) + low, width);
  if (is(a, Op::kConcat)) {
    const Term high_part = argument(a, 0);
    const Term low_part = argument(a, 1);
    const unsigned border = sort(low_part).width;
    if (end <= border)
      return extract(low_part, low, width);
    if (low >= border)
      return extract(high_part, low - border, width);
    const Term upper = extract(high_part, 0, end - border);
    return concat(upper, extract(low_part, low, border - low));
  }
  if (is(a, Op::kZeroExtend) || is(a, Op::kSignExtend)) {
    const Term inner = argument(a, 0);
    const unsigned border = sort(inner).width;
    if (end <= border)
      return extract(inner, low, width);
    const bool is_zero = is(a, Op::kZeroExtend);
    if (low < border) {
      const Term known = extract(inner, low, border - low);
      return is_zero ? zero_extend(known, width) : sign_extend(known, width);
    }
    if (is_zero)
      return constant(0, width);
    return sign_extend(extract(inner, border - 1, 1), width);
  }
  // (u8)((u32)x + 1) is x + 1 of 8 bits: where both arguments shrink by themselves.
  if (low == 0 && low_bits_need_low_bits_only(nodes_[a].op)) {
    const auto shrinks = [&](Term x) {
      const bool is_extended = is(x, Op::kZeroExtend) || is(x, Op::kSignExtend);
      return is_constant(x) || (is_extended && sort(argument(x, 0)).width <= width);
    };
    const Term left = argument(a, 0);
    const Term right = argument(a, 1);
    if (shrinks(left) && shrinks(right)) {
      const Op op = nodes_[a].op;
      const Term narrow_left = extract(left, 0, width);
      return binary(op, narrow_left, extract(right, 0, width));
    }
  }
  return std::nullopt;
}

Term TermStore::zero_extend(Term a, unsigned width) {
  HEDDLE_CHECK(!sort(a).is_bool() && width >= sort(a).width && width <= 64,
               "an extension does not shrink");
  if (width == sort(a).width)
    return a;
  if (const auto folded = fold(Op::kZeroExtend, sort_of(width), 0, std::array{a}))
    return *folded;
  if (is(a, Op::kZeroExtend))
    return zero_extend(argument(a, 0), width);
  return intern(Op::kZeroExtend, sort_of(width), 0, std::array{a});
}

Term TermStore::sign_extend(Term a, unsigned width) {
  HEDDLE_CHECK(!sort(a).is_bool() && width >= sort(a).width && width <= 64,
               "an extension does not shrink");
  if (width == sort(a).width)
    return a;
  if (const auto folded = fold(Op::kSignExtend, sort_of(width), 0, std::array{a}))
    return *folded;
  if (is(a, Op::kSignExtend))
    return sign_extend(argument(a, 0), width);
  if (is(a, Op::kZeroExtend)) // its sign bit is 0
    return zero_extend(argument(a, 0), width);
  return intern(Op::kSignExtend, sort_of(width), 0, std::array{a});
}

} // namespace heddle::logic
