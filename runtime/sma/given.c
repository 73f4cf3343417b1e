// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// What an abstraction is given (sma.h), for the verifier that runs it. The end of sma_exceeded is the verifier's: it replaces the body by a
// cut that names the bound.
#include "sma.h"

unsigned __VERIFIER_nondet_uint(void);
unsigned char __VERIFIER_nondet_uchar(void);
unsigned long long __VERIFIER_nondet_ulonglong(void);
void __VERIFIER_assume(int condition);

sma_value sma_initial[SMA_MOST_CELLS];

// A narrow value where one is enough: searches that try all values have fewer to try.
unsigned sma_nondet(unsigned limit) {
  if (limit <= 256) {
    unsigned char narrow = __VERIFIER_nondet_uchar();
    __VERIFIER_assume(narrow < limit);
    return narrow;
  }
  unsigned value = __VERIFIER_nondet_uint();
  __VERIFIER_assume(value < limit);
  return value;
}

sma_value sma_nondet_value(void) { return __VERIFIER_nondet_ulonglong(); }

// The verifier puts fewer values here.
sma_value sma_nondet_content(sma_cell cell) {
  (void)cell;
  return sma_nondet_value();
}

// The verifier knows the program.
unsigned sma_writers(sma_cell cell) {
  (void)cell;
  return SMA_THREADS;
}

sma_thread sma_writer(sma_cell cell, unsigned k) {
  (void)cell;
  return k;
}

unsigned sma_most_writes(sma_cell cell) {
  (void)cell;
  return ~0u;
}

void sma_assume(_Bool condition) { __VERIFIER_assume(condition); }

void sma_exceeded(unsigned bound) { (void)bound; }

// So that the constant can be asked for.
unsigned sma_asks_kind(void) { return sma_is_asynchronous; }

// By bytes, which --bits leaves as they are.
sma_value sma_nondet_unary(unsigned limit) {
  sma_value value = 0;
  for (unsigned bit = 0; bit + 1 < limit; bit += 8) {
    unsigned left = limit - 1 - bit;
    unsigned char byte = __VERIFIER_nondet_uchar();
    __VERIFIER_assume(byte < (left < 8 ? 1u << left : 256u));
    value |= (sma_value)byte << bit;
  }
  __VERIFIER_assume((value & ~(value << 1 | 1)) == 0);
  return value;
}
