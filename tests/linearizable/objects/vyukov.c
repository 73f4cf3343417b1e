// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// A bounded queue with a sequence number in each cell, after D. Vyukov. It is not linearizable: who has
// taken a cell and not filled it makes the cells behind it unreachable, so that a queue with something
// in it looks empty. If that is an operation that gave up (--abort -1) it is.
#include <stdatomic.h>
#define N 2
#define LOAD(x) atomic_load_explicit(&(x), memory_order_relaxed)
#define STORE(x, v) atomic_store_explicit(&(x), (v), memory_order_relaxed)
static _Atomic int seq[N];
static _Atomic int data[N];
static _Atomic int in, out;
static int cas(_Atomic int *p, int e, int d) { return atomic_compare_exchange_strong(p, &e, d); }
void init(void) { for (int i = 0; i < N; i++) seq[i] = i; }
static void publish(void) {
#ifdef PSO_FENCE
  atomic_thread_fence(memory_order_release);
#endif
}
int put(int v) {
  int at = LOAD(in);
  for (;;) {
    int s = LOAD(seq[at % N]);
    int d = s - at;
    if (d == 0) {
      if (cas(&in, at, at + 1))
        break;
      at = LOAD(in);
    } else if (d < 0)
      return 0;
    else
      at = LOAD(in);
  }
  STORE(data[at % N], v);
  publish();
#ifndef BROKEN
  STORE(seq[at % N], at + 1);
#else
  STORE(seq[at % N], at);
#endif
  return 1;
}
int get(void) {
  int at = LOAD(out);
  for (;;) {
    int s = LOAD(seq[at % N]);
    int d = s - (at + 1);
    if (d == 0) {
      if (cas(&out, at, at + 1))
        break;
      at = LOAD(out);
    } else if (d < 0)
      return -1;
    else
      at = LOAD(out);
  }
  int v = LOAD(data[at % N]);
  STORE(seq[at % N], at + N);
  return v;
}
