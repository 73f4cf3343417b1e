// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// A register of two halves under a lock for readers and writers. RMW: the writer gives it back by an update.
// BROKEN: a reader takes no lock.
#include <stdatomic.h>
#define LOAD(x) atomic_load_explicit(&(x), memory_order_relaxed)
#define STORE(x, v) atomic_store_explicit(&(x), (v), memory_order_relaxed)
// Readers-writer lock: -1 a writer, otherwise how many readers.
static _Atomic int state;
static _Atomic int low, high;
static int cas(_Atomic int *p, int e, int d) { return atomic_compare_exchange_strong(p, &e, d); }
void write(int v) {
  while (!cas(&state, 0, -1))
    ;
  STORE(low, v);
  STORE(high, v);
#ifdef RMW
  atomic_exchange(&state, 0);
#else
  STORE(state, 0);
#endif
}
int read(void) {
#ifdef BROKEN
  // Does not wait for a writer.
  int l = LOAD(low), h = LOAD(high);
  return l == h ? l : 1000 + l;
#else
  for (;;) {
    int s = LOAD(state);
    if (s >= 0 && cas(&state, s, s + 1))
      break;
  }
  int l = LOAD(low), h = LOAD(high);
  atomic_fetch_sub(&state, 1);
  return l == h ? l : 1000 + l;
#endif
}
