// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "reference.h"

#include "support/check.h"

#include <algorithm>
#include <array>

namespace heddle::logic {

namespace {

/// Least bit first; a Bool is one bit.
using Bits = std::vector<bool>;

Bits to_bits(std::uint64_t value, unsigned width) {
  Bits bits;
  for (unsigned i = 0; i < std::max(width, 1U); ++i)
    bits.push_back((value >> i & 1U) != 0);
  return bits;
}

std::uint64_t to_number(const Bits& bits) {
  std::uint64_t value = 0;
  for (std::size_t i = 0; i < bits.size(); ++i)
    value |= static_cast<std::uint64_t>(bits[i]) << i;
  return value;
}

Bits invert(Bits a) {
  a.flip();
  return a;
}

Bits add(const Bits& a, const Bits& b, bool carry = false) {
  Bits sum;
  for (std::size_t i = 0; i < a.size(); ++i) {
    sum.push_back(a[i] != (b[i] != carry));
    carry = (a[i] && b[i]) || (carry && (a[i] || b[i]));
  }
  return sum;
}

Bits subtract(const Bits& a, const Bits& b) {
  return add(a, invert(b), true);
}

Bits negate(const Bits& a) {
  return subtract(Bits(a.size(), false), a);
}

bool is_below(const Bits& a, const Bits& b) {
  for (std::size_t i = a.size(); i-- > 0;)
    if (a[i] != b[i])
      return b[i];
  return false;
}

bool is_below_signed(Bits a, Bits b) {
  a.back() = !a.back();
  b.back() = !b.back();
  return is_below(a, b);
}

Bits shifted_left(const Bits& a, std::size_t steps) {
  Bits result(a.size(), false);
  for (std::size_t i = steps; i < a.size(); ++i)
    result[i] = a[i - steps];
  return result;
}

Bits shifted_right(const Bits& a, std::size_t steps, bool fill) {
  Bits result(a.size(), fill);
  for (std::size_t i = 0; i + steps < a.size(); ++i)
    result[i] = a[i + steps];
  return result;
}

Bits multiply(const Bits& a, const Bits& b) {
  Bits result(a.size(), false);
  for (std::size_t i = 0; i < b.size(); ++i)
    if (b[i])
      result = add(result, shifted_left(a, i));
  return result;
}

/// Long division. With divisor 0 every step subtracts nothing and counts: all ones, and the
/// dividend remains.
std::pair<Bits, Bits> divide(const Bits& a, const Bits& b) {
  Bits quotient(a.size(), false);
  Bits rest(a.size() + 1, false); // one bit more than the divisor, so that doubling fits
  Bits divisor = b;
  divisor.push_back(false);
  for (std::size_t i = a.size(); i-- > 0;) {
    rest = shifted_left(rest, 1);
    rest[0] = a[i];
    if (!is_below(rest, divisor)) {
      rest = subtract(rest, divisor);
      quotient[i] = true;
    }
  }
  rest.pop_back();
  return {quotient, rest};
}

Bits signed_divide(const Bits& a, const Bits& b, bool want_remainder) {
  const Bits left = a.back() ? negate(a) : a;
  const Bits right = b.back() ? negate(b) : b;
  const auto [quotient, rest] = divide(left, right);
  if (want_remainder)
    return a.back() ? negate(rest) : rest;
  return a.back() != b.back() ? negate(quotient) : quotient;
}

Bits pointwise(const Bits& a, const Bits& b, bool (*f)(bool, bool)) {
  Bits result;
  for (std::size_t i = 0; i < a.size(); ++i)
    result.push_back(f(a[i], b[i]));
  return result;
}

Bits evaluate_tree(const Tree& tree, const Assignment& assignment) {
  std::vector<Bits> parts;
  for (const Tree& part : tree.parts)
    parts.push_back(evaluate_tree(part, assignment));
  const auto steps = [&] {
    return static_cast<std::size_t>(std::min<std::uint64_t>(to_number(parts[1]), 64));
  };
  switch (tree.op) {
  case Op::kConstant:
    return to_bits(tree.value, tree.width);
  case Op::kVariable:
    return to_bits(assignment(tree.value), tree.width);
  case Op::kNot:
  case Op::kBitNot:
    return invert(parts[0]);
  case Op::kAnd:
  case Op::kBitAnd:
    return pointwise(parts[0], parts[1], [](bool a, bool b) { return a && b; });
  case Op::kOr:
  case Op::kBitOr:
    return pointwise(parts[0], parts[1], [](bool a, bool b) { return a || b; });
  case Op::kBitXor:
    return pointwise(parts[0], parts[1], [](bool a, bool b) { return a != b; });
  case Op::kEqual:
    return {parts[0] == parts[1]};
  case Op::kULt:
    return {is_below(parts[0], parts[1])};
  case Op::kULe:
    return {!is_below(parts[1], parts[0])};
  case Op::kSLt:
    return {is_below_signed(parts[0], parts[1])};
  case Op::kSLe:
    return {!is_below_signed(parts[1], parts[0])};
  case Op::kIte:
    return parts[0][0] ? parts[1] : parts[2];
  case Op::kAdd:
    return add(parts[0], parts[1]);
  case Op::kSub:
    return subtract(parts[0], parts[1]);
  case Op::kMul:
    return multiply(parts[0], parts[1]);
  case Op::kUDiv:
    return divide(parts[0], parts[1]).first;
  case Op::kURem:
    return divide(parts[0], parts[1]).second;
  case Op::kSDiv:
    return signed_divide(parts[0], parts[1], false);
  case Op::kSRem:
    return signed_divide(parts[0], parts[1], true);
  case Op::kNegate:
    return negate(parts[0]);
  case Op::kShl:
    return shifted_left(parts[0], steps());
  case Op::kLShr:
    return shifted_right(parts[0], steps(), false);
  case Op::kAShr:
    return shifted_right(parts[0], steps(), parts[0].back());
  case Op::kConcat: {
    Bits joined = parts[1];
    joined.insert(joined.end(), parts[0].begin(), parts[0].end());
    return joined;
  }
  case Op::kExtract: {
    const auto first = parts[0].begin() + static_cast<std::ptrdiff_t>(tree.value);
    return {first, first + static_cast<std::ptrdiff_t>(tree.width)};
  }
  case Op::kZeroExtend: {
    Bits result = parts[0];
    result.resize(tree.width, false);
    return result;
  }
  case Op::kSignExtend: {
    Bits result = parts[0];
    result.resize(tree.width, parts[0].back());
    return result;
  }
  }
  HEDDLE_CHECK(false, "an operation out of range");
}

unsigned random_width(Rng& rng) {
  constexpr std::array<unsigned, 5> kUsual = {1, 8, 16, 32, 64};
  return rng.chance(1, 2) ? kUsual[rng.below(kUsual.size())]
                          : static_cast<unsigned>(1 + rng.below(64));
}

Tree leaf(Rng& rng, unsigned width) {
  if (rng.chance(1, 2))
    return Tree{Op::kConstant, width, random_value(rng, width)};
  return Tree{Op::kVariable, width, variable_number(width, rng.below(2))};
}

Tree random_boolean(Rng& rng, unsigned depth) {
  constexpr std::array kComparisons = {Op::kEqual, Op::kULt, Op::kULe, Op::kSLt, Op::kSLe};
  const auto sub = [&](unsigned width) { return random_tree(rng, width, depth - 1); };
  switch (rng.below(6)) {
  case 0:
    return {Op::kNot, 0, 0, {sub(0)}};
  case 1:
    return {Op::kAnd, 0, 0, {sub(0), sub(0)}};
  case 2:
    return {Op::kOr, 0, 0, {sub(0), sub(0)}};
  case 3:
    return {Op::kIte, 0, 0, {sub(0), sub(0), sub(0)}};
  case 4:
    return {Op::kEqual, 0, 0, {sub(0), sub(0)}};
  default: {
    const unsigned width = random_width(rng);
    return {kComparisons[rng.below(kComparisons.size())], 0, 0, {sub(width), sub(width)}};
  }
  }
}

Tree random_vector(Rng& rng, unsigned width, unsigned depth) {
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
                                  Op::kAShr};
  const auto sub = [&](unsigned part_width) { return random_tree(rng, part_width, depth - 1); };
  switch (rng.below(10)) {
  case 0:
    return {Op::kIte, width, 0, {sub(0), sub(width), sub(width)}};
  case 1:
    return {Op::kBitNot, width, 0, {sub(width)}};
  case 2:
    return {Op::kNegate, width, 0, {sub(width)}};
  case 3: {
    if (width == 1)
      return sub(1);
    const auto low = static_cast<unsigned>(1 + rng.below(width - 1));
    return {Op::kConcat, width, 0, {sub(width - low), sub(low)}};
  }
  case 4: {
    const auto from = static_cast<unsigned>(width + rng.below(65 - width));
    const std::uint64_t low = rng.chance(1, 2) ? 0 : rng.below(from - width + 1);
    return {Op::kExtract, width, low, {sub(from)}};
  }
  case 5: {
    const auto from = static_cast<unsigned>(1 + rng.below(width));
    return {rng.chance(1, 2) ? Op::kZeroExtend : Op::kSignExtend, width, 0, {sub(from)}};
  }
  default:
    return {kBinary[rng.below(kBinary.size())], width, 0, {sub(width), sub(width)}};
  }
}

} // namespace

std::uint64_t variable_number(unsigned width, std::uint64_t k) {
  return width * 8 + k;
}

std::uint64_t random_value(Rng& rng, unsigned width) {
  const unsigned bits = std::max(width, 1U);
  const std::uint64_t sign = 1ULL << (bits - 1);
  const std::array<std::uint64_t, 8> special = {
      0, 1, mask_of(bits), sign, sign - 1, sign + 1, rng.below(5), 1ULL << rng.below(bits)};
  const std::uint64_t value = rng.chance(2, 3) ? special[rng.below(special.size())] : rng.next();
  return value & mask_of(bits);
}

Tree random_tree(Rng& rng, unsigned width, unsigned depth) {
  if (depth == 0 || rng.chance(1, 8))
    return leaf(rng, width);
  return width == 0 ? random_boolean(rng, depth) : random_vector(rng, width, depth);
}

std::uint64_t reference_value(const Tree& tree, const Assignment& assignment) {
  return to_number(evaluate_tree(tree, assignment));
}

Term build(TermStore& store, const Tree& tree) {
  std::vector<Term> parts;
  for (const Tree& part : tree.parts)
    parts.push_back(build(store, part));
  switch (tree.op) {
  case Op::kConstant:
    return tree.width == 0 ? store.boolean(tree.value != 0)
                           : store.constant(tree.value, tree.width);
  case Op::kVariable:
    return store.variable(tree.value, Sort{static_cast<std::uint8_t>(tree.width)});
  case Op::kNot:
    return store.not_(parts[0]);
  case Op::kIte:
    return store.ite(parts[0], parts[1], parts[2]);
  case Op::kBitNot:
    return store.bit_not(parts[0]);
  case Op::kNegate:
    return store.negate(parts[0]);
  case Op::kExtract:
    return store.extract(parts[0], static_cast<unsigned>(tree.value), tree.width);
  case Op::kZeroExtend:
    return store.zero_extend(parts[0], tree.width);
  case Op::kSignExtend:
    return store.sign_extend(parts[0], tree.width);
  case Op::kAnd:
  case Op::kOr:
  case Op::kEqual:
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
  case Op::kConcat:
    return store.binary(tree.op, parts[0], parts[1]);
  }
  HEDDLE_CHECK(false, "an operation out of range");
}

} // namespace heddle::logic
