// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// The queue of Michael and Scott (PODC 1996, figure 1), without reuse of nodes. With BROKEN an
// enqueue links its node by a plain store, and two of them can write over each other.
//
//   heddle linearizable michael_scott_queue.c --object queue --functions enqueue,dequeue --init init
#include <stdatomic.h>

// Node 0 is the dummy; the value i is carried by node i.
static _Atomic int next[9];
static _Atomic int head, tail;

void init(void) {
  for (int i = 0; i < 9; i++)
    next[i] = -1;
}

#define LOAD(x) atomic_load_explicit(&(x), memory_order_relaxed)

static int cas(_Atomic int *place, int expected, int desired) {
  return atomic_compare_exchange_strong(place, &expected, desired);
}

void enqueue(int value) {
  for (;;) {
    int last = LOAD(tail);
    int after = LOAD(next[last]);
    if (last != LOAD(tail))
      continue;
    if (after != -1) {
      cas(&tail, last, after);
      continue;
    }
#ifdef BROKEN
    // Not a compare-and-swap: another node may have been linked meanwhile.
    atomic_store_explicit(&next[last], value, memory_order_relaxed);
    cas(&tail, last, value);
    return;
#else
    if (cas(&next[last], -1, value)) {
      cas(&tail, last, value);
      return;
    }
#endif
  }
}

int dequeue(void) {
  for (;;) {
    int first = LOAD(head);
    int last = LOAD(tail);
    int after = LOAD(next[first]);
    if (first != LOAD(head))
      continue;
    if (first == last) {
      if (after == -1)
        return -1;
      cas(&tail, last, after);
    } else if (cas(&head, first, after)) {
      return after; // the value of a node is its number
    }
  }
}
