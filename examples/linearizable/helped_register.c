// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// A register whose writes come in two steps, of which the second may be done by another write: the
// value is put beside the old one, and then takes its place. So no access of a write itself tells
// where it takes effect. With BROKEN a write leaves the second step to others.
//
//   heddle linearizable helped_register.c --object register --functions write,read
#include <stdatomic.h>

static _Atomic int state; // the value to come, or 0, and below it the value

#define TO_COME(word) ((word) >> 8)
#define VALUE(word) ((word) & 0xff)

static void finish(int seen) {
  atomic_compare_exchange_strong(&state, &seen, TO_COME(seen));
}

void write(int value) {
  for (;;) {
    int seen = atomic_load_explicit(&state, memory_order_relaxed);
    if (TO_COME(seen))
      finish(seen);
    else if (atomic_compare_exchange_strong(&state, &seen, value << 8 | VALUE(seen)))
      break;
  }
#ifndef BROKEN
  int seen = atomic_load_explicit(&state, memory_order_relaxed);
  if (TO_COME(seen) == value)
    finish(seen);
#endif
}

int read(void) { return VALUE(atomic_load_explicit(&state, memory_order_relaxed)); }
