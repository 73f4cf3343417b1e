// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// A stack that uses its nodes again, with a tag in each word that grows. BROKEN: without the tag, an old
// word looks like a new one.
#include <stdatomic.h>
#define LOAD(x) atomic_load_explicit(&(x), memory_order_relaxed)
#define STORE(x, v) atomic_store_explicit(&(x), (v), memory_order_relaxed)
// Two nodes; a stack of free ones. Words are node + 16 * tag.
static _Atomic unsigned top, below[5], spare;
static int value[5];
#ifdef BROKEN
#define TAG 0
#else
#define TAG 16
#endif
static int cas(_Atomic unsigned *p, unsigned e, unsigned d) { return atomic_compare_exchange_strong(p, &e, d); }
static void link_in(_Atomic unsigned *list, unsigned n) {
  for (;;) {
    unsigned t = LOAD(*list);
    STORE(below[n], t % 16);
    if (cas(list, t, t - t % 16 + n + TAG)) return;
  }
}
static unsigned take_out(_Atomic unsigned *list) {
  for (;;) {
    unsigned t = LOAD(*list);
    if (t % 16 == 0) return 0;
    unsigned after = LOAD(below[t % 16]);
    if (cas(list, t, t - t % 16 + after + TAG)) return t % 16;
  }
}
void push(int v) {
  unsigned n;
  while (!(n = take_out(&spare))) ;
  value[n] = v;
  link_in(&top, n);
}
int pop(void) {
  unsigned n = take_out(&top);
  if (!n) return -1;
  int v = value[n];
  link_in(&spare, n);
  return v;
}
void init(void) { for (unsigned i = 1; i < 5; i++) link_in(&spare, i); push(7); push(8); }
