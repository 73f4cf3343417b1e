// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// When arithmetic is defined in C. With a constant operand the conditions are bounds on the other
// one ("a <= MAX - 1"), which every engine understands best.
#include "program/build/build_context.h"
#include "support/check.h"

namespace heddle::program {

namespace {

using logic::TermStore;
using LogicOp = logic::Op;

std::uint64_t largest(unsigned width) {
  return logic::mask_of(width) >> 1U;
}
std::uint64_t smallest(unsigned width) {
  return 1ULL << (width - 1);
}
bool is_negative(std::uint64_t value, unsigned width) {
  return (value & smallest(width)) != 0;
}
Term at_most(TermStore& terms, Term a, std::uint64_t bound) {
  const unsigned width = terms.sort(a).width;
  return terms.binary(LogicOp::kSLe, a, terms.constant(bound & logic::mask_of(width), width));
}
Term at_least(TermStore& terms, Term a, std::uint64_t bound) {
  const unsigned width = terms.sort(a).width;
  return terms.binary(LogicOp::kSLe, terms.constant(bound & logic::mask_of(width), width), a);
}
/// Are the sign bits of (a ^ r) & (b ^ s) not set?
Term signs_agree(TermStore& terms, Term a, Term r, Term b, Term s) {
  const Term both = terms.binary(
      LogicOp::kBitAnd, terms.binary(LogicOp::kBitXor, a, r), terms.binary(LogicOp::kBitXor, b, s));
  return at_least(terms, both, 0);
}

Term add_constant_fits(TermStore& terms, Term a, std::uint64_t c) {
  const unsigned width = terms.sort(a).width;
  return is_negative(c, width) ? at_least(terms, a, smallest(width) - c)
                               : at_most(terms, a, largest(width) - c);
}

Term add_fits(TermStore& terms, Term a, Term b) {
  if (terms.is_constant(b))
    return add_constant_fits(terms, a, terms.node(b).value);
  if (terms.is_constant(a))
    return add_constant_fits(terms, b, terms.node(a).value);
  // It overflows when both operands have the sign that the sum has not.
  const Term sum = terms.binary(LogicOp::kAdd, a, b);
  return signs_agree(terms, a, sum, b, sum);
}

Term subtract_fits(TermStore& terms, Term a, Term b) {
  const unsigned width = terms.sort(a).width;
  if (terms.is_constant(b)) {
    const std::uint64_t c = terms.node(b).value;
    return is_negative(c, width) ? at_most(terms, a, largest(width) + c)
                                 : at_least(terms, a, smallest(width) + c);
  }
  if (terms.is_constant(a)) {
    const std::uint64_t c = terms.node(a).value;
    return is_negative(c, width) ? at_most(terms, b, c - smallest(width))
                                 : at_least(terms, b, c - largest(width));
  }
  // It overflows when the signs of the operands differ and the difference has not the sign of the
  // first.
  const Term difference = terms.binary(LogicOp::kSub, a, b);
  return signs_agree(terms, a, b, a, difference);
}

Term multiply_fits(TermStore& terms, Term a, Term b) {
  const unsigned width = terms.sort(a).width;
  const Term product = terms.binary(LogicOp::kMul, a, b);
  if (width <= 32) {
    const Term wide = terms.binary(
        LogicOp::kMul, terms.sign_extend(a, 2 * width), terms.sign_extend(b, 2 * width));
    return terms.equal(wide, terms.sign_extend(product, 2 * width));
  }
  // No wider type: the product divided by one operand gives the other, but for MIN * -1 which wraps
  // both ways.
  const Term zero = terms.constant(0, width);
  const Term wraps = terms.and_(terms.equal(a, terms.constant(logic::mask_of(width), width)),
                                terms.equal(b, terms.constant(smallest(width), width)));
  const Term divides = terms.equal(terms.binary(LogicOp::kSDiv, product, a), b);
  return terms.or_(terms.equal(a, zero), terms.and_(terms.not_(wraps), divides));
}

Term shift_left_fits(TermStore& terms, Term a, Term b) {
  const Term shifted = terms.binary(LogicOp::kShl, a, b);
  return terms.equal(terms.binary(LogicOp::kAShr, shifted, b), a);
}

} // namespace

Term no_signed_overflow(TermStore& terms, ir::Op op, Term a, Term b) {
  switch (op) {
  case ir::Op::kAdd:
    return add_fits(terms, a, b);
  case ir::Op::kSub:
    return subtract_fits(terms, a, b);
  case ir::Op::kMul:
    return multiply_fits(terms, a, b);
  case ir::Op::kShl:
    return shift_left_fits(terms, a, b);
  case ir::Op::kSDiv:
  case ir::Op::kSRem:
    return division_fits(terms, a, b);
  case ir::Op::kCopy:
  case ir::Op::kUDiv:
  case ir::Op::kURem:
  case ir::Op::kLShr:
  case ir::Op::kAShr:
  case ir::Op::kAnd:
  case ir::Op::kOr:
  case ir::Op::kXor:
  case ir::Op::kEq:
  case ir::Op::kNe:
  case ir::Op::kULt:
  case ir::Op::kULe:
  case ir::Op::kSLt:
  case ir::Op::kSLe:
  case ir::Op::kZExt:
  case ir::Op::kSExt:
  case ir::Op::kTrunc:
  case ir::Op::kSelect:
  case ir::Op::kPtrAdd:
    return terms.boolean(true);
  }
  return terms.boolean(true);
}

Term division_fits(TermStore& terms, Term a, Term b) {
  const unsigned width = terms.sort(a).width;
  const Term minimum = terms.constant(smallest(width), width);
  const Term minus_one = terms.constant(logic::mask_of(width), width);
  return terms.not_(terms.and_(terms.equal(a, minimum), terms.equal(b, minus_one)));
}

Term shift_in_range(TermStore& terms, Term amount) {
  const unsigned width = terms.sort(amount).width;
  return terms.binary(LogicOp::kULt, amount, terms.constant(width, width));
}

} // namespace heddle::program
