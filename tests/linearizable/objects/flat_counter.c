// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// A counter with a cell for each thread. Increments alone are linearizable, with decrements a sum may be
// one that the counter never was. BROKEN: one cell for all, without an update.
#include <stdatomic.h>
#include <pthread.h>
#define LOAD(x) atomic_load_explicit(&(x), memory_order_relaxed)
#define STORE(x, v) atomic_store_explicit(&(x), (v), memory_order_relaxed)
static _Atomic int cell[4];
static _Atomic int taken;
static _Thread_local int mine;
static int me(void) { if (!mine) mine = 1 + atomic_fetch_add(&taken, 1); return mine - 1; }
static void fence(void) {
#ifdef FENCE
  atomic_thread_fence(memory_order_seq_cst);
#endif
}
void increment(void) { int i = me(); STORE(cell[i], LOAD(cell[i]) + 1); fence(); }
void decrement(void) { int i = me(); STORE(cell[i], LOAD(cell[i]) - 1); fence(); }
int get(void) {
  int sum = 0;
  for (int i = 0; i < 3; i++)
    sum += LOAD(cell[i]);
  return sum;
}
#ifdef BROKEN
// One cell for everybody, without an update.
void bump(void) { STORE(cell[0], LOAD(cell[0]) + 1); fence(); }
#endif
