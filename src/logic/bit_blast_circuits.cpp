// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Ripple-carry adders, shift-and-add multipliers, restoring dividers and barrel shifters. A carry
// chain of full adders serves sums, differences and comparisons alike, so that `a - b` and `a < b`
// of one formula share it.
#include "logic/bit_blast_circuits.h"

#include "logic/term.h"
#include "support/check.h"

#include <algorithm>
#include <bit>

namespace heddle::logic {

namespace {

Bits complement(BitSpan a) {
  Bits result;
  result.reserve(a.size());
  for (const Literal bit : a)
    result.push_back(~bit);
  return result;
}

Bits add_with_carry(Gates& gates, BitSpan a, BitSpan b, Literal carry) {
  HEDDLE_CHECK(a.size() == b.size(), "operands of one width");
  Bits result;
  result.reserve(a.size());
  for (std::size_t i = 0; i + 1 < a.size(); ++i) {
    const Sum made = gates.full_adder(a[i], b[i], carry);
    result.push_back(made.sum);
    carry = made.carry;
  }
  if (!a.empty())
    result.push_back(gates.xor3(a.back(), b.back(), carry)); // its carry is not needed
  return result;
}

/// One digit of a number in non-adjacent form: ±2^position.
struct Digit {
  unsigned position = 0;
  bool is_negative = false;
};

/// Fewest non-zero digits; modulo 2^64.
std::vector<Digit> digits(std::uint64_t value) {
  std::vector<Digit> result;
  for (unsigned position = 0; value != 0 && position < 64; ++position, value >>= 1U) {
    if ((value & 1U) == 0)
      continue;
    const bool is_negative = (value & 3U) == 3; // a run of ones: 2^k - 1
    result.push_back({position, is_negative});
    if (is_negative)
      value += 1; // 0 where it wraps: the rest is a multiple of 2^64
    else
      value -= 1;
  }
  return result;
}

bool is_constant(const Gates& gates, BitSpan a) {
  return std::ranges::all_of(a, [&](Literal bit) { return gates.is_constant(bit); });
}

std::uint64_t constant_value(const Gates& gates, BitSpan a) {
  std::uint64_t value = 0;
  for (std::size_t i = 0; i < a.size(); ++i)
    if (gates.is_true(a[i]))
      value |= 1ULL << i;
  return value;
}

Bits multiply_by_constant(Gates& gates, BitSpan a, std::uint64_t value) {
  const std::size_t width = a.size();
  Bits result(width, gates.constant(false));
  bool is_zero = true;
  std::vector<Digit> parts = digits(value & mask_of(static_cast<unsigned>(width)));
  // A first digit +2^k costs nothing.
  const auto plus = std::ranges::find(parts, false, &Digit::is_negative);
  if (plus != parts.end())
    std::rotate(parts.begin(), plus, plus + 1);
  for (const Digit& digit : parts) {
    if (digit.position >= width)
      continue;
    const BitSpan part = a.first(width - digit.position);
    const BitSpan high = BitSpan(result).subspan(digit.position);
    Bits sum;
    if (digit.is_negative)
      sum = is_zero ? circuit_negate(gates, part) : circuit_subtract(gates, high, part);
    else
      sum = circuit_add(gates, high, part);
    std::ranges::copy(sum, result.begin() + digit.position);
    is_zero = false;
  }
  return result;
}

/// The number of bits up to the highest that can be 1.
std::size_t significant(const Gates& gates, BitSpan a) {
  std::size_t width = a.size();
  while (width > 0 && gates.is_false(a[width - 1]))
    --width;
  return width;
}

/// The number of bits up to the lowest one that all higher ones repeat.
std::size_t without_copies(BitSpan a) {
  std::size_t width = a.size();
  while (width > 1 && a[width - 1] == a[width - 2])
    --width;
  return width;
}

/// Above these, both operands repeat their highest bit, which changes neither equality nor either
/// order.
std::size_t compared_width(BitSpan a, BitSpan b) {
  HEDDLE_CHECK(a.size() == b.size() && !a.empty(), "operands of one width");
  return std::max(without_copies(a), without_copies(b));
}

} // namespace

Bits circuit_add(Gates& gates, BitSpan a, BitSpan b) {
  return add_with_carry(gates, a, b, gates.constant(false));
}

Bits circuit_subtract(Gates& gates, BitSpan a, BitSpan b) {
  return add_with_carry(gates, a, complement(b), gates.constant(true));
}

Bits circuit_negate(Gates& gates, BitSpan a) {
  const Bits zero(a.size(), gates.constant(false));
  return circuit_subtract(gates, zero, a);
}

Bits circuit_multiply(Gates& gates, BitSpan a, BitSpan b) {
  HEDDLE_CHECK(a.size() == b.size(), "operands of one width");
  if (is_constant(gates, a))
    return multiply_by_constant(gates, b, constant_value(gates, a));
  if (is_constant(gates, b))
    return multiply_by_constant(gates, a, constant_value(gates, b));
  const auto row_count = [&](BitSpan x) {
    const BitSpan rows = x.first(without_copies(x));
    return std::ranges::count_if(rows, [&](Literal bit) { return !gates.is_false(bit); });
  };
  // Rows for the operand that has fewer; between equals the order is fixed, so that a * b and b * a
  // are one circuit.
  const auto count_a = row_count(a);
  const auto count_b = row_count(b);
  if (count_b < count_a || (count_a == count_b && std::ranges::lexicographical_compare(b, a)))
    std::swap(a, b);
  const std::size_t width = a.size();
  const std::size_t b_width = significant(gates, b);
  const std::size_t rows = without_copies(a);
  Bits result(width, gates.constant(false));
  std::size_t filled = 0; // result bits from here on are 0
  for (std::size_t row = 0; row < rows; ++row) {
    if (gates.is_false(a[row]))
      continue;
    // Bits row … width-1 that are all a[row] stand for -2^row * a[row]; a last row is plain.
    const bool is_sign = row + 1 == rows && rows < width;
    // The places of result + (a[row] ∧ b) * 2^row, with one for the last carry.
    const std::size_t last = is_sign ? width : std::min(width, std::max(filled, row + b_width) + 1);
    Bits product(last - row, gates.constant(false));
    for (std::size_t i = 0; i < b_width && row + i < width; ++i)
      product[i] = gates.and_(a[row], b[i]);
    const BitSpan high = BitSpan(result).subspan(row, last - row);
    const Bits sum =
        is_sign ? circuit_subtract(gates, high, product) : circuit_add(gates, high, product);
    std::ranges::copy(sum, result.begin() + static_cast<std::ptrdiff_t>(row));
    filled = row + significant(gates, sum);
  }
  return result;
}

Division circuit_divide(Gates& gates, BitSpan a, BitSpan b) {
  HEDDLE_CHECK(a.size() == b.size(), "operands of one width");
  const std::size_t width = a.size();
  const std::size_t a_width = significant(gates, a);
  const std::size_t b_width = significant(gates, b);
  const Literal no = gates.constant(false);
  Bits is_zero_from(width + 1, gates.constant(true)); // no bit of b from this one on
  for (std::size_t i = b_width; i-- > 0;)
    is_zero_from[i] = gates.and_(is_zero_from[i + 1], ~b[i]);
  // Step i brings down bit i of the dividend. The remainder before it is below the divisor, so
  // after it one bit more is enough; it is also below the part of the dividend seen so far, so a
  // divisor with a bit above is not subtracted. A divisor of 0 always is: the quotient becomes all
  // ones by itself, but the remainder needs all bits of the dividend.
  Bits quotient(width, is_zero_from[0]);
  Bits remainder;
  for (std::size_t i = a_width; i-- > 0;) {
    remainder.insert(remainder.begin(), a[i]);
    const std::size_t length = std::min(remainder.size(), b_width);
    Bits divisor(b.begin(), b.begin() + static_cast<std::ptrdiff_t>(length));
    divisor.resize(remainder.size(), no);
    quotient[i] = gates.and_(is_zero_from[length], circuit_less(gates, divisor, remainder, true));
    const Bits difference = circuit_subtract(gates, remainder, divisor);
    remainder = circuit_ite(gates, quotient[i], difference, remainder);
    remainder.resize(length);
  }
  remainder.resize(width, no);
  if (b_width < a_width)
    remainder = circuit_ite(gates, is_zero_from[0], a, remainder);
  return {std::move(quotient), std::move(remainder)};
}

Division circuit_divide_signed(Gates& gates, BitSpan a, BitSpan b) {
  const auto magnitude = [&](BitSpan x) {
    return circuit_ite(gates, x.back(), circuit_negate(gates, x), x);
  };
  Division division = circuit_divide(gates, magnitude(a), magnitude(b));
  const Literal differ = gates.xor_(a.back(), b.back());
  division.quotient =
      circuit_ite(gates, differ, circuit_negate(gates, division.quotient), division.quotient);
  division.remainder =
      circuit_ite(gates, a.back(), circuit_negate(gates, division.remainder), division.remainder);
  return division;
}

Bits circuit_shift_right(Gates& gates, BitSpan a, BitSpan amount, Literal fill) {
  const std::size_t width = a.size();
  const auto stages = static_cast<std::size_t>(std::bit_width(width - 1));
  Bits result(a.begin(), a.end());
  for (std::size_t stage = 0; stage < stages; ++stage) {
    const std::size_t step = std::size_t{1} << stage;
    Bits shifted(width, fill);
    for (std::size_t i = 0; i + step < width; ++i)
      shifted[i] = result[i + step];
    result = circuit_ite(gates, amount[stage], shifted, result);
  }
  const Literal is_far = gates.or_(amount.subspan(stages));
  const Bits filled(width, fill);
  return circuit_ite(gates, is_far, filled, result);
}

Bits circuit_shift_left(Gates& gates, BitSpan a, BitSpan amount) {
  const Bits mirrored(a.rbegin(), a.rend());
  Bits result = circuit_shift_right(gates, mirrored, amount, gates.constant(false));
  std::ranges::reverse(result);
  return result;
}

Bits circuit_ite(Gates& gates, Literal condition, BitSpan a, BitSpan b) {
  HEDDLE_CHECK(a.size() == b.size(), "operands of one width");
  Bits result;
  result.reserve(a.size());
  for (std::size_t i = 0; i < a.size(); ++i)
    result.push_back(gates.ite(condition, a[i], b[i]));
  return result;
}

Literal circuit_equal(Gates& gates, BitSpan a, BitSpan b) {
  Bits same;
  for (std::size_t i = 0; i < compared_width(a, b); ++i)
    same.push_back(gates.equal(a[i], b[i]));
  return gates.and_(same);
}

Literal circuit_less(Gates& gates, BitSpan a, BitSpan b, bool or_equal) {
  // The carry of b + ¬a (+ 1), which says b > a (b >= a).
  Literal carry = gates.constant(or_equal);
  for (std::size_t i = 0; i < compared_width(a, b); ++i)
    carry = gates.majority(~a[i], b[i], carry);
  return carry;
}

Literal circuit_less_signed(Gates& gates, BitSpan a, BitSpan b, bool or_equal) {
  // Flipping the sign bits maps the signed order to the unsigned one.
  const std::size_t width = compared_width(a, b);
  Bits shifted_a(a.begin(), a.begin() + static_cast<std::ptrdiff_t>(width));
  Bits shifted_b(b.begin(), b.begin() + static_cast<std::ptrdiff_t>(width));
  shifted_a.back() = ~shifted_a.back();
  shifted_b.back() = ~shifted_b.back();
  return circuit_less(gates, shifted_a, shifted_b, or_equal);
}

} // namespace heddle::logic
