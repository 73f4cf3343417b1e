// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// The factories of arithmetic, bitwise operations and shifts; rewrite.cpp says what every rule
// keeps to.
#include "logic/term.h"
#include "support/check.h"

#include <array>
#include <bit>
#include <utility>

namespace heddle::logic {

Term TermStore::binary(Op op, Term a, Term b) {
  switch (op) {
  case Op::kAnd:
    return and_(a, b);
  case Op::kOr:
    return or_(a, b);
  case Op::kEqual:
    return equal(a, b);
  case Op::kConcat:
    return concat(a, b);
  case Op::kConstant:
  case Op::kVariable:
  case Op::kNot:
  case Op::kIte:
  case Op::kBitNot:
  case Op::kNegate:
  case Op::kExtract:
  case Op::kZeroExtend:
  case Op::kSignExtend:
    HEDDLE_CHECK(false, "not a binary operation");
    break;
  case Op::kULt:
  case Op::kULe:
  case Op::kSLt:
  case Op::kSLe:
  case Op::kAdd:
  case Op::kSub:
  case Op::kMul:
  case Op::kUDiv:
  case Op::kURem:
  case Op::kSDiv:
  case Op::kSRem:
  case Op::kBitAnd:
  case Op::kBitOr:
  case Op::kBitXor:
  case Op::kShl:
  case Op::kLShr:
  case Op::kAShr:
    break;
  }
  HEDDLE_CHECK(!sort(a).is_bool() && sort(a) == sort(b),
               "a binary operation takes bit-vectors of one width");
  if (op == Op::kULt || op == Op::kULe || op == Op::kSLt || op == Op::kSLe)
    return compare(op, a, b);
  if (const auto folded = fold(op, sort(a), 0, std::array{a, b}))
    return *folded;
  if (op == Op::kAdd)
    return add(a, b);
  if (op == Op::kSub)
    return subtract(a, b);
  if (op == Op::kMul)
    return multiply(a, b);
  if (op == Op::kBitAnd || op == Op::kBitOr || op == Op::kBitXor)
    return bitwise(op, a, b);
  if (op == Op::kShl || op == Op::kLShr || op == Op::kAShr)
    return shift(op, a, b);
  return divide(op, a, b);
}

Term TermStore::bit_not(Term a) {
  HEDDLE_CHECK(!sort(a).is_bool(), "bit_not takes a bit-vector");
  if (const auto folded = fold(Op::kBitNot, sort(a), 0, std::array{a}))
    return *folded;
  if (is(a, Op::kBitNot))
    return argument(a, 0);
  return intern(Op::kBitNot, sort(a), 0, std::array{a});
}

Term TermStore::negate(Term a) {
  HEDDLE_CHECK(!sort(a).is_bool(), "negate takes a bit-vector");
  if (const auto folded = fold(Op::kNegate, sort(a), 0, std::array{a}))
    return *folded;
  if (is(a, Op::kNegate))
    return argument(a, 0);
  if (is(a, Op::kSub))
    return intern(Op::kSub, sort(a), 0, std::array{argument(a, 1), argument(a, 0)});
  return intern(Op::kNegate, sort(a), 0, std::array{a});
}

Term TermStore::add(Term a, Term b) {
  const Sort result = sort(a);
  if (is_constant(a) || (b < a && !is_constant(b)))
    std::swap(a, b);
  if (is_value(b, 0))
    return a;
  if (is_constant(b)) {
    // (x + c) + d; x is no sum with a constant, so one step is enough.
    if (is(a, Op::kAdd) && is_constant(argument(a, 1)))
      return binary(
          Op::kAdd, argument(a, 0), constant(value(argument(a, 1)) + value(b), result.width));
    // (c − x) + d
    if (is(a, Op::kSub) && is_constant(argument(a, 0)))
      return binary(
          Op::kSub, constant(value(argument(a, 0)) + value(b), result.width), argument(a, 1));
    return intern(Op::kAdd, result, 0, std::array{a, b});
  }
  for (const auto& [x, y] : {std::pair{a, b}, std::pair{b, a}}) {
    if (is(x, Op::kNegate))
      return binary(Op::kSub, y, argument(x, 0));
    if (is(x, Op::kSub) && argument(x, 1) == y)
      return argument(x, 0); // (z − y) + y
    if (is(x, Op::kBitNot) && argument(x, 0) == y)
      return constant(~0ULL, result.width);
  }
  return intern(Op::kAdd, result, 0, std::array{a, b});
}

Term TermStore::subtract(Term a, Term b) {
  const Sort result = sort(a);
  if (a == b)
    return constant(0, result.width);
  if (is_constant(b))
    return binary(Op::kAdd, a, constant(0 - value(b), result.width));
  if (is_value(a, 0))
    return negate(b);
  if (is_constant(a) && is(b, Op::kAdd) && is_constant(argument(b, 1))) // c − (x + d)
    return binary(
        Op::kSub, constant(value(a) - value(argument(b, 1)), result.width), argument(b, 0));
  // (x + c) − x, x − (x + c), (x + c) − (x + d)
  const auto base = [&](Term x) {
    return is(x, Op::kAdd) && is_constant(argument(x, 1)) ? argument(x, 0) : x;
  };
  const auto offset = [&](Term x) { return base(x) == x ? 0 : value(argument(x, 1)); };
  if (base(a) == base(b))
    return constant(offset(a) - offset(b), result.width);
  // (x + y) − y
  if (is(a, Op::kAdd) && argument(a, 0) == b)
    return argument(a, 1);
  if (is(a, Op::kAdd) && argument(a, 1) == b)
    return argument(a, 0);
  // x − (x & y) is x & ~y: nothing is borrowed. (So the parts of a packed word stay apart.)
  if (is(b, Op::kBitAnd) && (argument(b, 0) == a || argument(b, 1) == a))
    return binary(Op::kBitAnd, a, bit_not(argument(b, argument(b, 0) == a ? 1 : 0)));
  return intern(Op::kSub, result, 0, std::array{a, b});
}

Term TermStore::multiply(Term a, Term b) {
  const Sort result = sort(a);
  if (is_constant(a) || (b < a && !is_constant(b)))
    std::swap(a, b);
  if (is_value(b, 0))
    return b;
  if (is_value(b, 1))
    return a;
  if (is_value(b, mask_of(result.width)))
    return negate(a);
  if (is_constant(b) && is(a, Op::kMul) && is_constant(argument(a, 1)))
    return binary(
        Op::kMul, argument(a, 0), constant(value(argument(a, 1)) * value(b), result.width));
  return intern(Op::kMul, result, 0, std::array{a, b});
}

Term TermStore::divide(Op op, Term a, Term b) {
  const Sort result = sort(a);
  const unsigned width = result.width;
  const bool is_remainder = op == Op::kURem || op == Op::kSRem;
  const bool is_signed = op == Op::kSDiv || op == Op::kSRem;
  if (is_remainder && (a == b || is_value(a, 0))) // also where the divisor is 0
    return constant(0, width);
  if (is_value(b, 0)) {
    if (is_remainder)
      return a;
    if (!is_signed)
      return constant(~0ULL, width);
    return ite(
        compare(Op::kSLt, a, constant(0, width)), constant(1, width), constant(~0ULL, width));
  }
  // With one bit, the constant 1 is −1 to the signed operations; division by −1 negates.
  if (is_signed && is_value(b, mask_of(width)))
    return is_remainder ? constant(0, width) : negate(a);
  if (is_value(b, 1))
    return is_remainder ? constant(0, width) : a;
  if (!is_signed && is_constant(b) && std::has_single_bit(value(b))) {
    if (is_remainder)
      return binary(Op::kBitAnd, a, constant(value(b) - 1, width));
    const auto steps = static_cast<std::uint64_t>(std::countr_zero(value(b)));
    return binary(Op::kLShr, a, constant(steps, width));
  }
  return intern(op, result, 0, std::array{a, b});
}

Term TermStore::bitwise(Op op, Term a, Term b) {
  const Sort result = sort(a);
  const std::uint64_t ones = mask_of(result.width);
  if (is_constant(a) || (b < a && !is_constant(b)))
    std::swap(a, b);
  if (a == b)
    return op == Op::kBitXor ? constant(0, result.width) : a;
  const std::uint64_t neutral = op == Op::kBitAnd ? ones : 0;
  if (is_value(b, neutral))
    return a;
  if (op != Op::kBitXor && is_value(b, ~neutral & ones)) // x & 0, x | ~0
    return b;
  if (op == Op::kBitXor && is_value(b, ones))
    return bit_not(a);
  const bool are_inverse =
      (is(a, Op::kBitNot) && argument(a, 0) == b) || (is(b, Op::kBitNot) && argument(b, 0) == a);
  if (are_inverse)
    return constant(op == Op::kBitAnd ? 0 : ones, result.width);
  if (is_constant(b) && is(a, op) && is_constant(argument(a, 1))) {
    const std::array values = {value(argument(a, 1)), value(b)};
    return binary(op, argument(a, 0), constant(apply(op, result, result, 0, values), result.width));
  }
  if (op == Op::kBitAnd && is_constant(b) && is(a, Op::kZeroExtend)) {
    const Term inner = argument(a, 0);
    const std::uint64_t inner_ones = mask_of(sort(inner).width);
    if ((value(b) & inner_ones) == inner_ones)
      return a;
  }
  for (const auto& [x, y] : {std::pair{a, b}, std::pair{b, a}}) {
    if (!is(x, op) || (argument(x, 0) != y && argument(x, 1) != y))
      continue;
    if (op != Op::kBitXor)
      return x;
    return argument(x, argument(x, 0) == y ? 1 : 0);
  }
  return intern(op, result, 0, std::array{a, b});
}

Term TermStore::shift(Op op, Term a, Term b) {
  const Sort result = sort(a);
  const unsigned width = result.width;
  if (is_value(b, 0) || is_value(a, 0))
    return a;
  if (op == Op::kAShr && is_value(a, mask_of(width)))
    return a;
  if (!is_constant(b))
    return intern(op, result, 0, std::array{a, b});
  if (value(b) >= width && op != Op::kAShr)
    return constant(0, width);
  if (value(b) >= width)
    b = constant(width - 1, width);
  if (is_value(b, 0)) // the sign bit of a single bit
    return a;
  if (is(a, op) && is_constant(argument(a, 1))) {
    // Both amounts are below the width by now, so their sum does not wrap; it may not fit the width
    // either.
    const std::uint64_t total = value(argument(a, 1)) + value(b);
    if (total >= width && op != Op::kAShr)
      return constant(0, width);
    const std::uint64_t steps = total >= width ? width - 1 : total;
    return intern(op, result, 0, std::array{argument(a, 0), constant(steps, width)});
  }
  return intern(op, result, 0, std::array{a, b});
}

} // namespace heddle::logic
