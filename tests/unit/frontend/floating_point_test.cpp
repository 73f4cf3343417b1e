// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// The runtime's floating-point arithmetic against the machine's own: numbers of all magnitudes, and
// those at which rounding, subnormal numbers, infinities and zeros begin.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <random>
#include <vector>

namespace {
extern "C" {
// What a number that does not fit is converted to.
long __VERIFIER_nondet_long(void) {
  return 12345;
}
#include "../../../runtime/heddle_floating.c"
}

bits_t bits_of(double value) {
  return std::bit_cast<bits_t>(value);
}
double number(bits_t bits) {
  return std::bit_cast<double>(bits);
}

/// Equal, or both no number: which one is not compared.
void expect_same(const char* what, bits_t a, bits_t b, bits_t have, double want) {
  if (have != bits_of(want) && !(std::isnan(number(have)) && std::isnan(want))) {
    ADD_FAILURE() << what << " of " << std::hex << a << " and " << b << " is " << have << ", not "
                  << bits_of(want);
  }
}

class Numbers {
public:
  bits_t next() {
    static const std::vector<bits_t> special = {0,
                                                1,
                                                2,
                                                FRACTION,
                                                FRACTION + 1,
                                                PLUS_INFINITY - 1,
                                                PLUS_INFINITY,
                                                PLUS_INFINITY | QUIET,
                                                bits_of(1),
                                                bits_of(1) + 1,
                                                bits_of(1) - 1,
                                                bits_of(9007199254740992.0),
                                                bits_of(9007199254740992.0) - 1};
    const bits_t sign = random_() & SIGN;
    switch (random_() % 6) {
    case 0:
      return special[random_() % special.size()] | sign;
    case 1:
      return random_();
    case 2: // whole numbers and simple fractions
      return bits_of(static_cast<double>(random_() % 2001) /
                     static_cast<double>(1U << random_() % 10)) |
             sign;
    case 3: // near 1, with few bits
      return (random_() & random_() & FRACTION) | (1013 + random_() % 20) << 52U | sign;
    case 4: // small
      return (random_() & FRACTION) | (random_() % 60) << 52U | sign;
    default: // any magnitude, where sums are ties
      return (random_() % 2048) << 52U | (random_() & 3U) | (random_() & 3U) << 50U | sign;
    }
  }

private:
  std::mt19937_64 random_{1};
};

constexpr int kRounds = 200000;

TEST(FloatingPoint, ArithmeticIsTheMachines) {
  Numbers numbers;
  for (int i = 0; i < kRounds; ++i) {
    const bits_t a = numbers.next();
    const bits_t b = numbers.next();
    expect_same("the sum", a, b, __heddle_f64_add(a, b), number(a) + number(b));
    expect_same("the difference", a, b, __heddle_f64_sub(a, b), number(a) - number(b));
    expect_same("the product", a, b, __heddle_f64_mul(a, b), number(a) * number(b));
    expect_same("the quotient", a, b, __heddle_f64_div(a, b), number(a) / number(b));
    const double x = number(a);
    const double y = number(b);
    const int order = std::isunordered(x, y) ? 8 : x < y ? 4 : x > y ? 2 : 1;
    EXPECT_EQ(__heddle_f64_compare(a, b), order) << std::hex << a << " and " << b;
  }
}

TEST(FloatingPoint, FloatsAreRoundedAsIfOnce) {
  Numbers numbers;
  for (int i = 0; i < kRounds; ++i) {
    const auto x = static_cast<float>(number(numbers.next()));
    const auto y = static_cast<float>(number(numbers.next()));
    const bits_t a = __heddle_f64_from_f32(std::bit_cast<std::uint32_t>(x));
    const bits_t b = __heddle_f64_from_f32(std::bit_cast<std::uint32_t>(y));
    expect_same("the double", a, 0, a, static_cast<double>(x));
    const auto check = [&](const char* what, bits_t have, float want) {
      const std::uint32_t rounded = __heddle_f64_to_f32(have);
      if (rounded != std::bit_cast<std::uint32_t>(want) && !std::isnan(want)) {
        ADD_FAILURE() << what << " of " << x << " and " << y << ": " << std::hex << rounded;
      }
    };
    check("the sum", __heddle_f64_add(a, b), x + y);
    check("the difference", __heddle_f64_sub(a, b), x - y);
    check("the product", __heddle_f64_mul(a, b), x * y);
    check("the quotient", __heddle_f64_div(a, b), x / y);
  }
}

TEST(FloatingPoint, ConversionsAreTheMachines) {
  Numbers numbers;
  for (int i = 0; i < kRounds; ++i) {
    const bits_t a = numbers.next();
    const double x = number(a);
    expect_same("the double", a, 0, __heddle_f64_from_unsigned(a), static_cast<double>(a));
    const auto number_with_sign = static_cast<long long>(a);
    expect_same("the double",
                a,
                0,
                __heddle_f64_from_signed(number_with_sign),
                static_cast<double>(number_with_sign));
    expect_same("floor", a, 0, __heddle_f64_floor(a), std::floor(x));
    expect_same("ceil", a, 0, __heddle_f64_ceil(a), std::ceil(x));
    expect_same("trunc", a, 0, __heddle_f64_trunc(a), std::trunc(x));
    if (x >= -9223372036854775808.0 && x < 9223372036854775808.0) {
      EXPECT_EQ(static_cast<long long>(__heddle_f64_to_signed(a, 64)), static_cast<long long>(x))
          << x;
    }
    if (x > -2147483649.0 && x < 2147483648.0) {
      EXPECT_EQ(static_cast<int>(__heddle_f64_to_signed(a, 32)), static_cast<int>(x)) << x;
    } else {
      EXPECT_EQ(__heddle_f64_to_signed(a, 32), 12345U) << x;
    }
    if (x > -1 && x < 256) {
      EXPECT_EQ(__heddle_f64_to_unsigned(a, 8), static_cast<unsigned char>(x)) << x;
    } else {
      EXPECT_EQ(__heddle_f64_to_unsigned(a, 8), 12345U) << x;
    }
  }
}

} // namespace
