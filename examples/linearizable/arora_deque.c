// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// The work-stealing deque of Arora, Blumofe and Plaxton (SPAA 1998, figure 5): the owner pushes
// and pops at the bottom, others take from the top, and may give up (-2). pop_bottom needs a fence
// between its write of bottom and its read of age where stores are delayed (TSO_FENCE), push_bottom
// one between its two stores where they are reordered (PSO_FENCE). With BROKEN pop_bottom takes the
// last element without a compare-and-swap.
//
//   heddle linearizable arora_deque.c --object deque --functions push_bottom,pop_bottom,pop_top
//     --roles push_bottom,pop_bottom/pop_top --abort -2
#include <stdatomic.h>

static _Atomic int bottom;
static _Atomic unsigned age; // top in the upper 16 bits, a tag in the lower
static _Atomic int items[8];

#define LOAD(x) atomic_load_explicit(&(x), memory_order_relaxed)
#define STORE(x, v) atomic_store_explicit(&(x), v, memory_order_relaxed)

void push_bottom(int value) {
  int b = LOAD(bottom);
  STORE(items[b], value);
#ifdef PSO_FENCE
  atomic_thread_fence(memory_order_release);
#endif
  STORE(bottom, b + 1);
}

int pop_top(void) {
  unsigned old = LOAD(age);
  int b = LOAD(bottom);
  int t = (int)(old >> 16);
  if (b <= t)
    return -1;
  int value = LOAD(items[t]);
  if (atomic_compare_exchange_strong(&age, &old, old + 0x10000))
    return value;
  return -2;
}

int pop_bottom(void) {
  int b = LOAD(bottom);
  if (b == 0)
    return -1;
  b--;
  STORE(bottom, b);
#ifdef TSO_FENCE
  atomic_thread_fence(memory_order_seq_cst);
#endif
  int value = LOAD(items[b]);
  unsigned old = LOAD(age);
  int t = (int)(old >> 16);
  if (b > t)
    return value;
  STORE(bottom, 0);
  unsigned fresh = (old & 0xffff) + 1;
  if (b == t) {
#ifdef BROKEN
    STORE(age, fresh);
    return value;
#else
    if (atomic_compare_exchange_strong(&age, &old, fresh))
      return value;
#endif
  }
  STORE(age, fresh);
  return -1;
}
