// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Arithmetic of IEEE 754 binary64 on the bits of its numbers, with rounding to the nearest and ties to even, as C programs
// have it unless they ask for another mode. The importer makes calls of these functions from LLVM's instructions; `float`
// is computed in binary64 and rounded once more, which gives the same results for + - * / (the significand of binary64
// is more than twice as long). Code without loops, so that engines that unroll need not guess how often.
//
// In between, a finite number is a sign, an exponent e and a significand m whose leading bit is bit 62 (numbers that are
// too small for that excepted): its value is m * 2^(e - 1023 - 62). The ten lowest bits of m are for rounding; the lowest
// also says whether anything was lost below it.
//
// The text is C and C++: tests/unit/frontend_llvm compares it with the machine's own arithmetic.
typedef unsigned long long bits_t;

long __VERIFIER_nondet_long(void);

#define SIGN 0x8000000000000000ULL
#define PLUS_INFINITY 0x7ff0000000000000ULL
#define QUIET 0x0008000000000000ULL
#define FRACTION 0x000fffffffffffffULL
#define NO_NUMBER 0xfff8000000000000ULL // what the processors we know give for 0/0

static int exponent_of(bits_t x) { return (int)((x >> 52) & 2047); }
static int is_nan(bits_t x) { return (x & ~SIGN) > PLUS_INFINITY; }

// The exponent and the significand of a finite number; the leading bit of a subnormal number is lower.
static int scale_of(bits_t x) { return exponent_of(x) == 0 ? 1 : exponent_of(x); }
static bits_t significand_of(bits_t x) {
  bits_t fraction = x & FRACTION;
  return (exponent_of(x) == 0 ? fraction : fraction | (FRACTION + 1)) << 10;
}

// How far a number below 2^63, not 0, is to be shifted for its leading bit to be bit 62.
static int room_above(bits_t m) {
  int room = 0;
  if ((m >> 31) == 0) { room += 32; m <<= 32; }
  if ((m >> 47) == 0) { room += 16; m <<= 16; }
  if ((m >> 55) == 0) { room += 8; m <<= 8; }
  if ((m >> 59) == 0) { room += 4; m <<= 4; }
  if ((m >> 61) == 0) { room += 2; m <<= 2; }
  if ((m >> 62) == 0) { room += 1; }
  return room;
}

// m / 2^n; the lowest bit is set if anything was lost.
static bits_t shift_down(bits_t m, int n) {
  if (n > 63)
    return m != 0;
  return (m >> n) | ((m & ((1ULL << n) - 1)) != 0);
}

static bits_t round_and_pack(bits_t sign, int e, bits_t m) {
  if (e <= 0) {
    m = shift_down(m, 1 - e);
    e = 1;
  }
  if (e >= 2047)
    return sign | PLUS_INFINITY;
  bits_t rest = m & 1023;
  m = (m + 512) >> 10;
  if (rest == 512)
    m &= ~1ULL;
  // The leading bit adds one to the exponent; a number that was rounded up to the next power of two adds another.
  return sign | (((bits_t)(e - 1) << 52) + m);
}

static bits_t quiet_nan(bits_t a, bits_t b) { return is_nan(a) ? a | QUIET : b | QUIET; }

bits_t __heddle_f64_add(bits_t a, bits_t b) {
  if (is_nan(a) || is_nan(b))
    return quiet_nan(a, b);
  if (exponent_of(a) == 2047)
    return exponent_of(b) == 2047 && a != b ? NO_NUMBER : a;
  if (exponent_of(b) == 2047)
    return b;
  int e = scale_of(a);
  int d = e - scale_of(b);
  bits_t m = significand_of(a);
  bits_t n = significand_of(b);
  if (d >= 0) {
    n = shift_down(n, d);
  } else {
    m = shift_down(m, -d);
    e -= d;
  }
  bits_t sign = a & SIGN;
  if (sign == (b & SIGN)) {
    m += n;
    if ((m >> 63) != 0) {
      m = shift_down(m, 1);
      ++e;
    }
    return round_and_pack(sign, e, m);
  }
  if (m == n)
    return 0;
  if (m < n) {
    bits_t larger = n;
    n = m;
    m = larger;
    sign ^= SIGN;
  }
  m -= n;
  int room = room_above(m);
  return round_and_pack(sign, e - room, m << room);
}

bits_t __heddle_f64_sub(bits_t a, bits_t b) {
  return __heddle_f64_add(a, is_nan(b) ? b : b ^ SIGN);
}

bits_t __heddle_f64_mul(bits_t a, bits_t b) {
  if (is_nan(a) || is_nan(b))
    return quiet_nan(a, b);
  bits_t sign = (a ^ b) & SIGN;
  int a_is_zero = (a & ~SIGN) == 0;
  int b_is_zero = (b & ~SIGN) == 0;
  if (exponent_of(a) == 2047 || exponent_of(b) == 2047)
    return a_is_zero || b_is_zero ? NO_NUMBER : sign | PLUS_INFINITY;
  if (a_is_zero || b_is_zero)
    return sign;
  bits_t m = significand_of(a);
  bits_t n = significand_of(b);
  int m_room = room_above(m);
  int n_room = room_above(n);
  int e = scale_of(a) - m_room + scale_of(b) - n_room - 1022;
  m <<= m_room + 1;
  n <<= n_room;
  // The upper half of the product of 128 bits, made of halves of the factors.
  bits_t half = 0xffffffffULL;
  bits_t low = (m & half) * (n & half);
  bits_t middle_1 = (m & half) * (n >> 32);
  bits_t middle_2 = (m >> 32) * (n & half);
  bits_t carry = (low >> 32) + (middle_1 & half) + (middle_2 & half);
  bits_t product = (m >> 32) * (n >> 32) + (middle_1 >> 32) + (middle_2 >> 32) + (carry >> 32);
  if ((carry & half) != 0 || (low & half) != 0)
    product |= 1;
  if ((product >> 62) == 0) {
    product <<= 1;
    --e;
  }
  return round_and_pack(sign, e, product);
}

bits_t __heddle_f64_div(bits_t a, bits_t b) {
  if (is_nan(a) || is_nan(b))
    return quiet_nan(a, b);
  bits_t sign = (a ^ b) & SIGN;
  int a_is_zero = (a & ~SIGN) == 0;
  int b_is_zero = (b & ~SIGN) == 0;
  if (exponent_of(a) == 2047)
    return exponent_of(b) == 2047 ? NO_NUMBER : sign | PLUS_INFINITY;
  if (exponent_of(b) == 2047)
    return sign;
  if (b_is_zero)
    return a_is_zero ? NO_NUMBER : sign | PLUS_INFINITY;
  if (a_is_zero)
    return sign;
  bits_t m = significand_of(a);
  bits_t n = significand_of(b);
  int m_room = room_above(m);
  int n_room = room_above(n);
  int e = (scale_of(a) - m_room) - (scale_of(b) - n_room) + 1023;
  // 53 bits each: a remainder has room for eleven more bits, so that five divisions give 55 bits behind the point.
  bits_t rest = m << m_room >> 10;
  bits_t by = n << n_room >> 10;
  bits_t quotient = rest / by;
  rest = rest % by << 11;
  quotient = quotient << 11 | rest / by;
  rest = rest % by << 11;
  quotient = quotient << 11 | rest / by;
  rest = rest % by << 11;
  quotient = quotient << 11 | rest / by;
  rest = rest % by << 11;
  quotient = quotient << 11 | rest / by;
  rest = rest % by << 11;
  quotient = quotient << 11 | rest / by;
  rest = rest % by;
  bits_t result = quotient << 7;
  if ((quotient >> 55) == 0) {
    result = quotient << 8;
    --e;
  }
  return round_and_pack(sign, e, result | (rest != 0));
}

// 1 equal, 2 greater, 4 less, 8 unordered: the bits of LLVM's predicates.
int __heddle_f64_compare(bits_t a, bits_t b) {
  if (is_nan(a) || is_nan(b))
    return 8;
  long long x = (long long)(a & ~SIGN);
  long long y = (long long)(b & ~SIGN);
  if ((a & SIGN) != 0)
    x = -x;
  if ((b & SIGN) != 0)
    y = -y;
  return x == y ? 1 : x > y ? 2 : 4;
}

bits_t __heddle_f64_from_unsigned(bits_t number) {
  if (number == 0)
    return 0;
  if ((number >> 63) != 0)
    return round_and_pack(0, 1023 + 63, shift_down(number, 1));
  int room = room_above(number);
  return round_and_pack(0, 1023 + 62 - room, number << room);
}

bits_t __heddle_f64_from_signed(long long number) {
  if (number >= 0)
    return __heddle_f64_from_unsigned((bits_t)number);
  return SIGN | __heddle_f64_from_unsigned(0 - (bits_t)number);
}

// What a number that does not fit is converted to is undefined in C: anything.
static bits_t anything(void) { return (bits_t)__VERIFIER_nondet_long(); }

// What stands before the point of a number below 2^64; its sign does not count.
static bits_t whole_part(bits_t x) {
  int e = exponent_of(x) - 1023;
  bits_t m = (x & FRACTION) | (FRACTION + 1);
  if (e < 0)
    return 0;
  return e <= 52 ? m >> (52 - e) : m << (e - 52);
}

bits_t __heddle_f64_to_unsigned(bits_t x, int width) {
  int e = exponent_of(x) - 1023;
  if (e < 0)
    return 0;
  if (e >= width || (x & SIGN) != 0)
    return anything();
  return whole_part(x);
}

bits_t __heddle_f64_to_signed(bits_t x, int width) {
  int e = exponent_of(x) - 1023;
  if (e < 0)
    return 0;
  bits_t smallest = 1ULL << (width - 1);
  bits_t whole = e < width ? whole_part(x) : 0;
  if (e >= width || whole > smallest || (whole == smallest && (x & SIGN) == 0))
    return anything();
  return (x & SIGN) != 0 ? 0 - whole : whole;
}

bits_t __heddle_f64_from_f32(unsigned x) {
  bits_t sign = (bits_t)(x >> 31) << 63;
  int e = (int)((x >> 23) & 255);
  bits_t fraction = x & 0x7fffffU;
  if (e == 255)
    return sign | PLUS_INFINITY | (fraction != 0 ? QUIET : 0) | fraction << 29;
  if (e != 0)
    return sign | (bits_t)(e - 127 + 1023) << 52 | fraction << 29;
  if (fraction == 0)
    return sign;
  int room = room_above(fraction);
  return round_and_pack(sign, 1023 + 62 - 149 - room, fraction << room);
}

unsigned __heddle_f64_to_f32(bits_t x) {
  unsigned sign = (unsigned)(x >> 63) << 31;
  if (is_nan(x))
    return sign | 0x7fc00000U | (unsigned)((x & FRACTION) >> 29);
  int e = scale_of(x) - 1023 + 127;
  bits_t m = significand_of(x);
  if (exponent_of(x) == 2047 || e >= 255)
    return sign | 0x7f800000U;
  if (e <= 0) {
    m = shift_down(m, 1 - e);
    e = 1;
  }
  bits_t rest = m & ((1ULL << 39) - 1);
  m = (m + (1ULL << 38)) >> 39;
  if (rest == 1ULL << 38)
    m &= ~1ULL;
  return sign | (((unsigned)(e - 1) << 23) + (unsigned)m);
}

// ---- Rounding to whole numbers

bits_t __heddle_f64_trunc(bits_t x) {
  int e = exponent_of(x) - 1023;
  if (e < 0)
    return x & SIGN;
  if (e >= 52)
    return is_nan(x) ? x | QUIET : x;
  return x & ~(FRACTION >> e);
}

bits_t __heddle_f64_floor(bits_t x) {
  bits_t whole = __heddle_f64_trunc(x);
  // Minus one where something negative was cut off.
  return (x & SIGN) != 0 && whole != x && !is_nan(x) ? __heddle_f64_add(whole, 0xbff0000000000000ULL) : whole;
}

bits_t __heddle_f64_ceil(bits_t x) {
  bits_t whole = __heddle_f64_trunc(x);
  return (x & SIGN) == 0 && whole != x && !is_nan(x) ? __heddle_f64_add(whole, 0x3ff0000000000000ULL) : whole;
}

// ---- Library functions; the importer knows a double as its bits

bits_t __heddle_difftime(long end, long begin) {
  return __heddle_f64_sub(__heddle_f64_from_signed(end), __heddle_f64_from_signed(begin));
}

bits_t __heddle_fabs(bits_t x) { return x & ~SIGN; }

// Bit by bit, as by hand: the leading 55 bits of the root, and whether anything is left.
bits_t __heddle_sqrt(bits_t x) {
  if ((x & ~SIGN) == 0 || x == PLUS_INFINITY)
    return x;
  if (is_nan(x))
    return x | QUIET;
  if ((x & SIGN) != 0)
    return NO_NUMBER;
  bits_t m = significand_of(x);
  int room = room_above(m);
  int e = scale_of(x) - room - 1023 - 62;
  m <<= room;
  if ((e & 1) != 0) {
    m <<= 1;
    --e;
  }
  m >>= 8;
  bits_t root = 0;
  bits_t rest = 0;
  for (int i = 0; i < 55; ++i) {
    rest = rest << 2 | (m >> 54 & 3);
    m <<= 2;
    root <<= 1;
    bits_t tried = root << 1 | 1;
    if (rest >= tried) {
      rest -= tried;
      root |= 1;
    }
  }
  return round_and_pack(0, e / 2 - 31 + 1023 + 62, root << 8 | (rest != 0));
}
