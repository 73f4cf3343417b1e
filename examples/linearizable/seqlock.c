// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// A register of two words guarded by a sequence lock: a writer makes the counter odd, writes both
// halves, and makes it even; a reader tries again until it has seen the same even number twice.
// The writes may be delayed past the return, but until they reach memory the counter is odd there and
// readers wait. PSO needs the halves before the counter (PSO_FENCE). With BROKEN a reader does not
// look at the counter.
//
//   heddle linearizable seqlock.c --object register --functions write,read
#include <stdatomic.h>

static _Atomic int sequence;
static _Atomic int low, high;

#define LOAD(x) atomic_load_explicit(&(x), memory_order_relaxed)
#define STORE(x, v) atomic_store_explicit(&(x), v, memory_order_relaxed)
#ifdef PSO_FENCE
#define ORDER_STORES() atomic_thread_fence(memory_order_release)
#else
#define ORDER_STORES()
#endif

void write(int value) {
  int seen;
  do {
    seen = LOAD(sequence) & ~1;
  } while (!atomic_compare_exchange_strong(&sequence, &seen, seen + 1));
  STORE(low, value);
  STORE(high, value);
  ORDER_STORES();
  STORE(sequence, seen + 2);
}

int read(void) {
  for (;;) {
    int before = LOAD(sequence);
    int l = LOAD(low);
    int h = LOAD(high);
#ifndef BROKEN
    if ((before & 1) || LOAD(sequence) != before)
      continue;
#endif
    return l == h ? l : 1000;
  }
}
