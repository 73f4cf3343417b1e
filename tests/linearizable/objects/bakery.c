// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// The bakery of Lamport (CACM 1974) for two threads. FENCE: after every store of acquire.
// BROKEN: nobody says that it is choosing.
#include <stdatomic.h>
#include <pthread.h>
#define LOAD(x) atomic_load_explicit(&(x), memory_order_relaxed)
#define STORE(x, v) atomic_store_explicit(&(x), (v), memory_order_relaxed)
#ifndef N
#define N 2
#endif
static _Atomic int choosing[N], number[N];
static _Atomic int threads;
static _Thread_local int mine;
static int me(void) { if (!mine) mine = 1 + atomic_fetch_add(&threads, 1); return mine - 1; }
static void fence(void) {
#ifdef FENCE
  atomic_thread_fence(memory_order_seq_cst);
#endif
}
void acquire(void) {
  int i = me();
#ifndef BROKEN
  STORE(choosing[i], 1);
  fence();
#endif
  int most = 0;
  for (int j = 0; j < N; j++) {
    int n = LOAD(number[j]);
    if (n > most) most = n;
  }
  STORE(number[i], most + 1);
  fence();
  STORE(choosing[i], 0);
  fence();
  for (int j = 0; j < N; j++) {
    if (j == i) continue;
    while (LOAD(choosing[j])) ;
    for (;;) {
      int n = LOAD(number[j]), m = LOAD(number[i]);
      if (n == 0 || n > m || (n == m && j > i)) break;
    }
  }
}
void release(void) { STORE(number[me()], 0); }
