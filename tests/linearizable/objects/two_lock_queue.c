// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// The queue with two locks of Michael and Scott (PODC 1996, figure 2). A release is a plain store, with
// FENCE an update. BROKEN: dequeue takes no lock.
#include <stdatomic.h>
#define LOAD(x) atomic_load_explicit(&(x), memory_order_relaxed)
#define STORE(x, v) atomic_store_explicit(&(x), (v), memory_order_relaxed)
// Node 0 is the dummy; the value i is carried by node i. 0 in next: no node.
static _Atomic int next[9];
static _Atomic int head, tail;
static _Atomic int head_lock, tail_lock;
static void lock(_Atomic int *l) { while (atomic_exchange(l, 1)) ; }
static void unlock(_Atomic int *l) {
#ifdef FENCE
  atomic_exchange(l, 0);
#else
  atomic_store_explicit(l, 0, memory_order_relaxed);
#endif
}
void enqueue(int v) {
  lock(&tail_lock);
  STORE(next[LOAD(tail)], v);
  STORE(tail, v);
  unlock(&tail_lock);
}
int dequeue(void) {
#ifndef BROKEN
  lock(&head_lock);
#endif
  int first = LOAD(head);
  int after = LOAD(next[first]);
  if (after)
    STORE(head, after);
#ifndef BROKEN
  unlock(&head_lock);
#endif
  return after ? after : -1;
}
