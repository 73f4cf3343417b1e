// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Arithmetic on vectors of literals, lowest bit first. Results have the length of the operands;
// low bits of a sum, difference or product need only the low bits of the operands, so callers cut
// the operands to what is needed. Constant literals cost nothing, since gates fold them.
#pragma once

#include "logic/gates.h"

#include <span>
#include <utility>
#include <vector>

namespace heddle::logic {

using Bits = std::vector<Literal>;
using BitSpan = std::span<const Literal>;

[[nodiscard]] Bits circuit_add(Gates& gates, BitSpan a, BitSpan b);
[[nodiscard]] Bits circuit_subtract(Gates& gates, BitSpan a, BitSpan b);
[[nodiscard]] Bits circuit_negate(Gates& gates, BitSpan a);
[[nodiscard]] Bits circuit_multiply(Gates& gates, BitSpan a, BitSpan b);

struct Division {
  Bits quotient;
  Bits remainder;
};
/// By 0: all ones, and the dividend. Asked again with the same operands it makes no new gate.
[[nodiscard]] Division circuit_divide(Gates& gates, BitSpan a, BitSpan b);
/// Truncating; by 0: 1 or -1 (for a dividend that is not negative), and the dividend.
[[nodiscard]] Division circuit_divide_signed(Gates& gates, BitSpan a, BitSpan b);

/// Shifts by at least the length give `fill` everywhere, as do the places that become free.
[[nodiscard]] Bits circuit_shift_left(Gates& gates, BitSpan a, BitSpan amount);
[[nodiscard]] Bits circuit_shift_right(Gates& gates, BitSpan a, BitSpan amount, Literal fill);

[[nodiscard]] Bits circuit_ite(Gates& gates, Literal condition, BitSpan a, BitSpan b);
[[nodiscard]] Literal circuit_equal(Gates& gates, BitSpan a, BitSpan b);
/// a < b, or a <= b if `or_equal`.
[[nodiscard]] Literal circuit_less(Gates& gates, BitSpan a, BitSpan b, bool or_equal);
[[nodiscard]] Literal circuit_less_signed(Gates& gates, BitSpan a, BitSpan b, bool or_equal);

} // namespace heddle::logic
