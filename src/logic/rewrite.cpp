// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// The factories of Booleans, choices, equalities and comparisons. Every rule replaces a term by one
// with the same value under every assignment, and looks only a bounded number of levels down
// (chains are peeled by loops), so that building a term of n nodes takes O(n) steps and no deep
// stack. Normal forms the other rules count on:
// - an operand order for commutative operations: constants last, otherwise the older term first;
// - no negated comparison: ¬(a < b) is b ≤ a; a choice's condition is not negated;
// - a Bool turned into a number is ite(c, k1, k2), and operations with a constant move into such a
// choice.
#include "logic/term.h"
#include "support/check.h"

#include <array>
#include <utility>

namespace heddle::logic {

namespace {

bool is_unary(Op op) {
  return op == Op::kBitNot || op == Op::kNegate || op == Op::kExtract || op == Op::kZeroExtend ||
         op == Op::kSignExtend;
}

} // namespace

/// The constant if every argument is one, or a choice between two constants if one argument is such
/// a choice and the others are constants.
std::optional<Term>
TermStore::fold(Op op, Sort sort, std::uint64_t value, std::span<const Term> arguments) {
  HEDDLE_CHECK(arguments.size() == (is_unary(op) ? 1U : 2U), "fold takes one or two arguments");
  const Sort argument_sort = nodes_[arguments[0]].sort;
  std::size_t choice = arguments.size();
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    if (is_constant(arguments[i]))
      continue;
    if (choice != arguments.size() || !is(arguments[i], Op::kIte) ||
        !is_constant(argument(arguments[i], 1)) || !is_constant(argument(arguments[i], 2)))
      return std::nullopt;
    choice = i;
  }
  const auto with = [&](unsigned branch) {
    std::array<std::uint64_t, 2> values = {};
    for (std::size_t i = 0; i < arguments.size(); ++i)
      values[i] = this->value(i == choice ? argument(arguments[i], branch) : arguments[i]);
    const std::uint64_t result =
        apply(op,
              sort,
              argument_sort,
              value,
              std::span<const std::uint64_t>(values.data(), arguments.size()));
    return sort.is_bool() ? boolean(result != 0) : constant(result, sort.width);
  };
  if (choice == arguments.size())
    return with(0);
  const Term condition = argument(arguments[choice], 0);
  const Term if_true = with(1);
  const Term if_false = with(2);
  return ite(condition, if_true, if_false);
}

/// Whether one is the negation of the other, as the factories write negations.
bool TermStore::are_complementary(Term a, Term b) const {
  if (is(a, Op::kNot) && argument(a, 0) == b)
    return true;
  if (is(b, Op::kNot) && argument(b, 0) == a)
    return true;
  const auto is_pair = [&](Op less, Op less_or_equal) {
    return (is(a, less) && is(b, less_or_equal)) || (is(a, less_or_equal) && is(b, less));
  };
  return (is_pair(Op::kULt, Op::kULe) || is_pair(Op::kSLt, Op::kSLe)) &&
         argument(a, 0) == argument(b, 1) && argument(a, 1) == argument(b, 0);
}

Term TermStore::not_(Term a) {
  HEDDLE_CHECK(sort(a).is_bool(), "not takes a Bool");
  if (is_constant(a))
    return boolean(value(a) == 0);
  if (is(a, Op::kNot))
    return argument(a, 0);
  if (is(a, Op::kULt))
    return compare(Op::kULe, argument(a, 1), argument(a, 0));
  if (is(a, Op::kULe))
    return compare(Op::kULt, argument(a, 1), argument(a, 0));
  if (is(a, Op::kSLt))
    return compare(Op::kSLe, argument(a, 1), argument(a, 0));
  if (is(a, Op::kSLe))
    return compare(Op::kSLt, argument(a, 1), argument(a, 0));
  return intern(Op::kNot, Sort{}, 0, std::array{a});
}

Term TermStore::and_(Term a, Term b) {
  HEDDLE_CHECK(sort(a).is_bool() && sort(b).is_bool(), "and takes Bools");
  if (is_value(a, 0) || is_value(b, 0) || are_complementary(a, b))
    return boolean(false);
  if (is_value(a, 1) || a == b)
    return b;
  if (is_value(b, 1))
    return a;
  for (const auto& [x, y] : {std::pair{a, b}, std::pair{b, a}}) {
    const bool is_and = is(x, Op::kAnd);
    if (!is_and && !is(x, Op::kOr))
      continue;
    for (const unsigned i : {0U, 1U}) {
      if (argument(x, i) == y)
        return is_and ? x : y; // (y ∧ z) ∧ y, (y ∨ z) ∧ y
      if (is_and && are_complementary(argument(x, i), y))
        return boolean(false);
      if (!is_and && are_complementary(argument(x, i), y))
        return and_(argument(x, 1 - i), y); // (¬y ∨ z) ∧ y
    }
  }
  if (b < a)
    std::swap(a, b);
  return intern(Op::kAnd, Sort{}, 0, std::array{a, b});
}

Term TermStore::or_(Term a, Term b) {
  HEDDLE_CHECK(sort(a).is_bool() && sort(b).is_bool(), "or takes Bools");
  if (is_value(a, 1) || is_value(b, 1) || are_complementary(a, b))
    return boolean(true);
  if (is_value(a, 0) || a == b)
    return b;
  if (is_value(b, 0))
    return a;
  for (const auto& [x, y] : {std::pair{a, b}, std::pair{b, a}}) {
    const bool is_or = is(x, Op::kOr);
    if (!is_or && !is(x, Op::kAnd))
      continue;
    for (const unsigned i : {0U, 1U}) {
      if (argument(x, i) == y)
        return is_or ? x : y; // (y ∨ z) ∨ y, (y ∧ z) ∨ y
      if (is_or && are_complementary(argument(x, i), y))
        return boolean(true);
      if (!is_or && are_complementary(argument(x, i), y))
        return or_(argument(x, 1 - i), y); // (¬y ∧ z) ∨ y
    }
  }
  if (b < a)
    std::swap(a, b);
  return intern(Op::kOr, Sort{}, 0, std::array{a, b});
}

Term TermStore::ite(Term condition, Term a, Term b) {
  HEDDLE_CHECK(sort(condition).is_bool() && sort(a) == sort(b), "ite takes a Bool and equal sorts");
  if (is_constant(condition))
    return value(condition) != 0 ? a : b;
  if (is(condition, Op::kNot))
    return ite(argument(condition, 0), b, a);
  if (is(a, Op::kIte) && argument(a, 0) == condition)
    a = argument(a, 1);
  if (is(b, Op::kIte) && argument(b, 0) == condition)
    b = argument(b, 2);
  if (a == b)
    return a;
  // A write in one arm of a branch is one choice, not two: ite(c, ite(d, v, x), x).
  for (const bool is_first : {true, false}) {
    const Term inner = is_first ? a : b;
    const Term other = is_first ? b : a;
    if (!is(inner, Op::kIte))
      continue;
    const Term here = is_first ? condition : not_(condition);
    if (argument(inner, 2) == other)
      return ite(and_(here, argument(inner, 0)), argument(inner, 1), other);
    if (argument(inner, 1) == other)
      return ite(and_(here, not_(argument(inner, 0))), argument(inner, 2), other);
  }
  const Sort result = sort(a);
  if (result.is_bool()) {
    if (is_value(a, 1) || a == condition)
      return or_(condition, b);
    if (is_value(a, 0))
      return and_(not_(condition), b);
    if (is_value(b, 0) || b == condition)
      return and_(condition, a);
    if (is_value(b, 1))
      return or_(not_(condition), a);
  }
  return intern(Op::kIte, result, 0, std::array{condition, a, b});
}

Term TermStore::equal(Term a, Term b) {
  HEDDLE_CHECK(sort(a) == sort(b), "equality takes equal sorts");
  if (a == b)
    return boolean(true);
  if (!sort(a).is_bool())
    return equal_vectors(a, b);
  if (is_constant(a))
    std::swap(a, b);
  if (is_constant(b))
    return value(b) != 0 ? a : not_(a);
  if (are_complementary(a, b))
    return boolean(false);
  if (is(a, Op::kNot) && is(b, Op::kNot))
    return equal(argument(a, 0), argument(b, 0));
  if (b < a)
    std::swap(a, b);
  return intern(Op::kEqual, Sort{}, 0, std::array{a, b});
}

Term TermStore::equal_vectors(Term a, Term b) {
  if (is_constant(a))
    std::swap(a, b);
  // Invertible operations with a constant move to the other side, one after the other.
  while (is_constant(b) && !is_constant(a)) {
    const unsigned width = sort(a).width;
    const bool has_constant = nodes_[a].argument_count == 2 && is_constant(argument(a, 1));
    if (is(a, Op::kAdd) && has_constant)
      b = constant(value(b) - value(argument(a, 1)), width);
    else if (is(a, Op::kBitXor) && has_constant)
      b = constant(value(b) ^ value(argument(a, 1)), width);
    else if (is(a, Op::kBitNot))
      b = constant(~value(b), width);
    else if (is(a, Op::kNegate))
      b = constant(0 - value(b), width);
    else
      break;
    a = argument(a, 0);
  }
  if (a == b)
    return boolean(true);
  if (const auto folded = fold(Op::kEqual, Sort{}, 0, std::array{a, b}))
    return *folded;
  if (is_constant(b)) {
    if (const auto simpler = equal_to_constant(a, value(b)))
      return *simpler;
  } else {
    const bool same_extension = (is(a, Op::kZeroExtend) && is(b, Op::kZeroExtend)) ||
                                (is(a, Op::kSignExtend) && is(b, Op::kSignExtend));
    if (same_extension && sort(argument(a, 0)) == sort(argument(b, 0)))
      return equal(argument(a, 0), argument(b, 0));
    // x + c ≠ x and x + c ≠ x + d: the offsets differ, or the terms would be one.
    const auto base = [&](Term x) {
      return is(x, Op::kAdd) && is_constant(argument(x, 1)) ? argument(x, 0) : x;
    };
    if (base(a) == base(b))
      return boolean(false);
    // x + c = y + d: one sum is enough, and none where the constants are one (places in one array).
    if (base(a) != a && base(b) != b) {
      const std::uint64_t offset = value(argument(a, 1)) - value(argument(b, 1));
      return equal(binary(Op::kAdd, base(a), constant(offset, sort(a).width)), base(b));
    }
  }
  if (!is_constant(b) && b < a)
    std::swap(a, b);
  return intern(Op::kEqual, Sort{}, 0, std::array{a, b});
}

std::optional<Term> TermStore::equal_to_constant(Term a, std::uint64_t constant_value) {
  const unsigned width = sort(a).width;
  if (is(a, Op::kZeroExtend) || is(a, Op::kSignExtend)) {
    const Term inner = argument(a, 0);
    const unsigned inner_width = sort(inner).width;
    const std::uint64_t low = constant_value & mask_of(inner_width);
    const std::uint64_t extended =
        is(a, Op::kZeroExtend)
            ? low
            : static_cast<std::uint64_t>(sign_extended(low, inner_width)) & mask_of(width);
    if (extended != constant_value)
      return boolean(false);
    return equal(inner, constant(low, inner_width));
  }
  if (is(a, Op::kConcat)) {
    const Term high = argument(a, 0);
    const Term low = argument(a, 1);
    const unsigned low_width = sort(low).width;
    const Term low_equal = equal(low, constant(constant_value, low_width));
    const Term high_equal = equal(high, constant(constant_value >> low_width, sort(high).width));
    return and_(high_equal, low_equal);
  }
  if (width == 1 && constant_value == 0)
    return not_(equal(a, constant(1, 1)));
  return std::nullopt;
}

Term TermStore::compare(Op op, Term a, Term b) {
  const bool is_strict = op == Op::kULt || op == Op::kSLt;
  const bool is_signed = op == Op::kSLt || op == Op::kSLe;
  if (a == b)
    return boolean(!is_strict);
  if (const auto folded = fold(op, Sort{}, 0, std::array{a, b}))
    return *folded;
  const unsigned width = sort(a).width;
  const std::uint64_t least = is_signed ? 1ULL << (width - 1) : 0;
  const std::uint64_t greatest = ~least & mask_of(width);
  if (is_strict) {
    if (is_value(b, least) || is_value(a, greatest))
      return boolean(false);
    if (is_value(b, greatest) || is_value(a, least)) // a < max, min < b
      return not_(equal(a, b));
    if (is_value(b, (least + 1) & mask_of(width)))
      return equal(a, constant(least, width));
    if (is_value(a, (greatest - 1) & mask_of(width)))
      return equal(b, constant(greatest, width));
  } else {
    if (is_value(b, greatest) || is_value(a, least))
      return boolean(true);
    if (is_value(b, least) || is_value(a, greatest)) // a ≤ min, max ≤ b
      return equal(a, b);
    if (is_value(b, (greatest - 1) & mask_of(width)))
      return not_(equal(a, constant(greatest, width)));
    if (is_value(a, (least + 1) & mask_of(width)))
      return not_(equal(b, constant(least, width)));
  }
  if (const auto simpler = compare_extended(op, a, b))
    return *simpler;
  return intern(op, Sort{}, 0, std::array{a, b});
}

/// A comparison of extended terms, or of one with a constant, is one of the terms before extension.
std::optional<Term> TermStore::compare_extended(Op op, Term a, Term b) {
  const bool is_strict = op == Op::kULt || op == Op::kSLt;
  const bool is_signed = op == Op::kSLt || op == Op::kSLe;
  const auto is_extended = [&](Term x) { return is(x, Op::kZeroExtend) || is(x, Op::kSignExtend); };
  const Term extended = is_extended(a) ? a : b;
  if (!is_extended(extended))
    return std::nullopt;
  const Term other = extended == a ? b : a;
  const Op extension = nodes_[extended].op;
  // A zero extension is nonnegative, so both orders agree with the unsigned one of what it extends.
  // A sign extension keeps either order, but with constants only the signed one is used.
  const Op inner_op = extension == Op::kSignExtend ? op : (is_strict ? Op::kULt : Op::kULe);
  const Term inner = argument(extended, 0);
  const unsigned inner_width = sort(inner).width;
  if (is(other, extension) && sort(argument(other, 0)) == sort(inner))
    return extended == a ? compare(inner_op, inner, argument(other, 0))
                         : compare(inner_op, argument(other, 0), inner);
  if (!is_constant(other) || (extension == Op::kSignExtend && !is_signed))
    return std::nullopt;
  const unsigned width = sort(extended).width;
  // Every value of the extension lies in [least, greatest], as the order of `op` sees it.
  bool is_below = false; // the constant is below all of them
  bool is_above = false;
  if (extension == Op::kSignExtend) {
    const std::int64_t constant_value = sign_extended(value(other), width);
    const std::uint64_t sign = 1ULL << (inner_width - 1);
    is_below = constant_value < sign_extended(sign, inner_width);
    is_above = constant_value > static_cast<std::int64_t>(sign - 1);
  } else {
    is_below = is_signed && sign_extended(value(other), width) < 0;
    is_above = !is_below && value(other) > mask_of(inner_width);
  }
  if (is_below || is_above)
    return boolean(extended == a ? is_above : is_below);
  const Term narrow = constant(value(other), inner_width);
  return extended == a ? compare(inner_op, inner, narrow) : compare(inner_op, narrow, inner);
}

Term TermStore::to_bit(Term condition) {
  return ite(condition, constant(1, 1), constant(0, 1));
}

Term TermStore::to_bool(Term bit) {
  HEDDLE_CHECK(sort(bit).width == 1, "to_bool takes one bit");
  return equal(bit, constant(1, 1));
}

} // namespace heddle::logic
