// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Two procedures that call each other, up to nine deep: further than any first bound.
#include <assert.h>

extern unsigned __VERIFIER_nondet_uint(void);

static unsigned odd(unsigned n);

static unsigned even(unsigned n) {
  if (n == 0)
    return 1;
  return odd(n - 1);
}

static unsigned odd(unsigned n) {
  if (n == 0)
    return 0;
  return even(n - 1);
}

int main(void) {
  unsigned n = __VERIFIER_nondet_uint();
  if (n > 9)
    return 0;
  assert(even(n) != (n & 1));
  return 0;
}
