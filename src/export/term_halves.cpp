// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "export/term_halves.h"

#include "support/check.h"

#include <vector>

namespace heddle::exports {

using logic::Op;

Term TermHalves::narrow(Term term) {
  if (const auto known = narrow_.find(term); known != narrow_.end())
    return known->second;
  const Term made = make_narrow(term);
  narrow_.emplace(term, made);
  return made;
}

Halves TermHalves::halves(Term term) {
  if (const auto known = halves_.find(term); known != halves_.end())
    return known->second;
  const Halves made = make_halves(term);
  halves_.emplace(term, made);
  return made;
}

Term TermHalves::make_narrow(Term term) {
  const logic::Node node = terms_.node(term);
  const std::vector<Term> all(terms_.arguments(term).begin(), terms_.arguments(term).end());
  const unsigned width = node.sort.width;
  switch (node.op) {
  case Op::kConstant:
  case Op::kVariable:
    return term;
  case Op::kNot:
    return terms_.not_(narrow(all[0]));
  case Op::kAnd:
  case Op::kOr: {
    Term made = narrow(all[0]);
    for (std::size_t i = 1; i < all.size(); ++i)
      made = node.op == Op::kAnd ? terms_.and_(made, narrow(all[i]))
                                 : terms_.or_(made, narrow(all[i]));
    return made;
  }
  case Op::kIte:
    return terms_.ite(narrow(all[0]), narrow(all[1]), narrow(all[2]));
  case Op::kEqual:
  case Op::kULt:
  case Op::kULe:
  case Op::kSLt:
  case Op::kSLe:
    return compared(node.op, all[0], all[1]);
  case Op::kBitNot:
    return terms_.bit_not(narrow(all[0]));
  case Op::kNegate:
    return terms_.negate(narrow(all[0]));
  case Op::kConcat:
    return terms_.concat(narrow(all[0]), narrow(all[1]));
  case Op::kExtract:
    return bits(all[0], static_cast<unsigned>(node.value), width);
  case Op::kZeroExtend:
    return terms_.zero_extend(narrow(all[0]), width);
  case Op::kSignExtend:
    return terms_.sign_extend(narrow(all[0]), width);
  default: {
    Term made = narrow(all[0]);
    for (std::size_t i = 1; i < all.size(); ++i)
      made = terms_.binary(node.op, made, narrow(all[i]));
    return made;
  }
  }
}

Halves TermHalves::make_halves(Term term) {
  const logic::Node node = terms_.node(term);
  const std::vector<Term> all(terms_.arguments(term).begin(), terms_.arguments(term).end());
  const unsigned high_bits = node.sort.width - kHalfBits;
  const auto nothing = [&] {
    return Halves{terms_.constant(0, kHalfBits), terms_.constant(0, high_bits)};
  };
  const auto each = [&](const auto& make) {
    Halves made = halves(all[0]);
    for (std::size_t i = 1; i < all.size(); ++i)
      made = make(made, halves(all[i]));
    return made;
  };
  switch (node.op) {
  case Op::kConstant:
    return {terms_.constant(node.value & logic::mask_of(kHalfBits), kHalfBits),
            terms_.constant(node.value >> kHalfBits, high_bits)};
  case Op::kVariable:
    return halves_of_(node.value);
  case Op::kIte: {
    const Term condition = narrow(all[0]);
    const Halves yes = halves(all[1]);
    const Halves no = halves(all[2]);
    return {terms_.ite(condition, yes.low, no.low), terms_.ite(condition, yes.high, no.high)};
  }
  case Op::kAdd:
    return each([&](const Halves& a, const Halves& b) { return sum(a, b); });
  case Op::kSub:
    return each([&](const Halves& a, const Halves& b) { return difference(a, b); });
  case Op::kMul:
    return each([&](const Halves& a, const Halves& b) { return product(a, b); });
  case Op::kNegate:
    return difference(nothing(), halves(all[0]));
  case Op::kBitNot: {
    const Halves a = halves(all[0]);
    return {terms_.bit_not(a.low), terms_.bit_not(a.high)};
  }
  case Op::kBitAnd:
  case Op::kBitOr:
  case Op::kBitXor:
    return each([&](const Halves& a, const Halves& b) {
      return Halves{terms_.binary(node.op, a.low, b.low), terms_.binary(node.op, a.high, b.high)};
    });
  case Op::kShl:
  case Op::kLShr:
  case Op::kAShr:
    return shifted(node.op, halves(all[0]), halves(all[1]));
  case Op::kConcat:
    return concatenated(all[0], all[1]);
  case Op::kExtract: {
    const auto from = static_cast<unsigned>(node.value);
    return {bits(all[0], from, kHalfBits), bits(all[0], from + kHalfBits, high_bits)};
  }
  case Op::kZeroExtend: {
    if (!is_wide(all[0]))
      return {terms_.zero_extend(narrow(all[0]), kHalfBits), terms_.constant(0, high_bits)};
    const Halves a = halves(all[0]);
    return {a.low, terms_.zero_extend(a.high, high_bits)};
  }
  case Op::kSignExtend: {
    if (is_wide(all[0])) {
      const Halves a = halves(all[0]);
      return {a.low, terms_.sign_extend(a.high, high_bits)};
    }
    const Term a = narrow(all[0]);
    const Term is_negative = terms_.binary(Op::kSLt, a, terms_.constant(0, terms_.sort(a).width));
    return {terms_.sign_extend(a, kHalfBits),
            terms_.ite(is_negative,
                       terms_.constant(logic::mask_of(high_bits), high_bits),
                       terms_.constant(0, high_bits))};
  }
  case Op::kUDiv:
  case Op::kURem:
  case Op::kSDiv:
  case Op::kSRem:
    has_failed_ = true;
    return nothing();
  case Op::kNot:
  case Op::kAnd:
  case Op::kOr:
  case Op::kEqual:
  case Op::kULt:
  case Op::kULe:
  case Op::kSLt:
  case Op::kSLe:
    break;
  }
  HEDDLE_CHECK(false, "no wide number");
  return nothing();
}

Term TermHalves::bits(Term of, unsigned low, unsigned width) {
  if (!is_wide(of))
    return terms_.extract(narrow(of), low, width);
  const Halves a = halves(of);
  if (low >= kHalfBits)
    return terms_.extract(a.high, low - kHalfBits, width);
  if (low + width <= kHalfBits)
    return terms_.extract(a.low, low, width);
  return terms_.concat(terms_.extract(a.high, 0, low + width - kHalfBits),
                       terms_.extract(a.low, low, kHalfBits - low));
}

Term TermHalves::compared(Op op, Term a, Term b) {
  if (!is_wide(a))
    return op == Op::kEqual ? terms_.equal(narrow(a), narrow(b))
                            : terms_.binary(op, narrow(a), narrow(b));
  const Halves x = halves(a);
  const Halves y = halves(b);
  const Term is_same = terms_.equal(x.high, y.high);
  if (op == Op::kEqual)
    return terms_.and_(is_same, terms_.equal(x.low, y.low));
  const bool is_signed = op == Op::kSLt || op == Op::kSLe;
  const bool is_strict = op == Op::kULt || op == Op::kSLt;
  const Term below = terms_.binary(is_signed ? Op::kSLt : Op::kULt, x.high, y.high);
  const Term low = terms_.binary(is_strict ? Op::kULt : Op::kULe, x.low, y.low);
  return terms_.or_(below, terms_.and_(is_same, low));
}

Term TermHalves::fitted(Term term, unsigned width) {
  const unsigned given = terms_.sort(term).width;
  if (given == width)
    return term;
  return given < width ? terms_.zero_extend(term, width) : terms_.extract(term, 0, width);
}

Halves TermHalves::sum(const Halves& a, const Halves& b) {
  const Term low = terms_.binary(Op::kAdd, a.low, b.low);
  const unsigned bits = terms_.sort(a.high).width;
  const Term carry = fitted(terms_.to_bit(terms_.binary(Op::kULt, low, a.low)), bits);
  return {low, terms_.binary(Op::kAdd, terms_.binary(Op::kAdd, a.high, b.high), carry)};
}

Halves TermHalves::difference(const Halves& a, const Halves& b) {
  const unsigned bits = terms_.sort(a.high).width;
  const Term borrow = fitted(terms_.to_bit(terms_.binary(Op::kULt, a.low, b.low)), bits);
  return {terms_.binary(Op::kSub, a.low, b.low),
          terms_.binary(Op::kSub, terms_.binary(Op::kSub, a.high, b.high), borrow)};
}

/// As by hand, with digits of 16 bits: their products have 32.
Halves TermHalves::product(const Halves& a, const Halves& b) {
  const auto digit = [&](Term of, unsigned index) {
    return terms_.zero_extend(terms_.extract(of, 16 * index, 16), kHalfBits);
  };
  const auto times = [&](Term x, Term y) { return terms_.binary(Op::kMul, x, y); };
  const auto plus = [&](Term x, Term y) { return terms_.binary(Op::kAdd, x, y); };
  const Term first = times(digit(a.low, 0), digit(b.low, 0));
  const Term second = times(digit(a.low, 0), digit(b.low, 1));
  const Term third = times(digit(a.low, 1), digit(b.low, 0));
  const Term fourth = times(digit(a.low, 1), digit(b.low, 1));
  const Term middle = plus(plus(digit(first, 1), digit(second, 0)), digit(third, 0));
  const Term beyond = plus(plus(plus(fourth, digit(second, 1)), digit(third, 1)), digit(middle, 1));
  const unsigned bits = terms_.sort(a.high).width;
  const Term crossed = plus(times(a.high, fitted(b.low, bits)), times(fitted(a.low, bits), b.high));
  return {times(a.low, b.low), plus(fitted(beyond, bits), crossed)};
}

/// A shift of 32 bits by 32 or more, also by what is below 0, gives 0 or the sign: so the parts
/// that do not count for an amount vanish.
Halves TermHalves::shifted(Op op, const Halves& a, const Halves& by) {
  const unsigned bits = terms_.sort(a.high).width;
  const bool is_arithmetic = op == Op::kAShr;
  const Term half = terms_.constant(kHalfBits, kHalfBits);
  const Term amount = by.low;
  const Term missing = terms_.binary(Op::kSub, half, amount);
  const Term beyond = terms_.binary(Op::kSub, amount, half);
  const auto join = [&](Term x, Term y) { return terms_.binary(Op::kBitOr, x, y); };
  const Term high =
      is_arithmetic ? terms_.sign_extend(a.high, kHalfBits) : terms_.zero_extend(a.high, kHalfBits);
  Halves made;
  Term rest = terms_.constant(0, kHalfBits);
  if (op == Op::kShl) {
    made.low = terms_.binary(Op::kShl, a.low, amount);
    made.high = join(
        terms_.binary(Op::kShl, high, amount),
        join(terms_.binary(Op::kLShr, a.low, missing), terms_.binary(Op::kShl, a.low, beyond)));
  } else {
    made.high = terms_.binary(op, high, amount);
    made.low = terms_.ite(
        terms_.binary(Op::kULt, amount, half),
        join(terms_.binary(Op::kLShr, a.low, amount), terms_.binary(Op::kShl, high, missing)),
        terms_.binary(op, high, beyond));
    if (is_arithmetic)
      rest = terms_.binary(Op::kAShr, high, terms_.constant(kHalfBits - 1, kHalfBits));
  }
  const Term is_small = terms_.equal(by.high, terms_.constant(0, terms_.sort(by.high).width));
  return {terms_.ite(is_small, made.low, rest),
          fitted(terms_.ite(is_small, made.high, rest), bits)};
}

Halves TermHalves::concatenated(Term high, Term low) {
  const unsigned low_bits = terms_.sort(low).width;
  const unsigned high_bits = terms_.sort(high).width;
  if (low_bits == kHalfBits)
    return {narrow(low), narrow(high)};
  if (low_bits < kHalfBits) {
    const unsigned taken = kHalfBits - low_bits;
    return {terms_.concat(bits(high, 0, taken), narrow(low)), bits(high, taken, high_bits - taken)};
  }
  const Halves a = halves(low);
  return {a.low, terms_.concat(narrow(high), a.high)};
}

} // namespace heddle::exports
