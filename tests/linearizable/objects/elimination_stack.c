// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// A stack in which a push offers its value to a pop first (Hendler, Shavit and Yerushalmi, SPAA 2004).
// BROKEN: a pop takes an offer without a compare-and-swap.
#include <stdatomic.h>
#define LOAD(x) atomic_load_explicit(&(x), memory_order_relaxed)
#define STORE(x, v) atomic_store_explicit(&(x), (v), memory_order_relaxed)
static _Atomic int top;      // node i carries i
static _Atomic int below[9];
static _Atomic int slot;     // 0 free, v > 0 an offer, -1 taken
static int cas(_Atomic int *p, int e, int d) { return atomic_compare_exchange_strong(p, &e, d); }
void push(int v) {
  if (cas(&slot, 0, v)) {
    if (!cas(&slot, v, 0)) {
      STORE(slot, 0);
      return;
    }
  }
  for (;;) {
    int t = LOAD(top);
    STORE(below[v], t);
    if (cas(&top, t, v))
      return;
  }
}
int pop(void) {
  for (;;) {
    int offer = LOAD(slot);
#ifdef BROKEN
    if (offer > 0) {
      STORE(slot, -1);
      return offer;
    }
#else
    if (offer > 0 && cas(&slot, offer, -1))
      return offer;
#endif
    int t = LOAD(top);
    if (t == 0)
      return -1;
    if (cas(&top, t, LOAD(below[t])))
      return t;
  }
}
