// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Two cells that are read together: until two readings in a row are equal. BROKEN: one reading.
#include <stdatomic.h>
#define LOAD(x) atomic_load_explicit(&(x), memory_order_relaxed)
#define STORE(x, v) atomic_store_explicit(&(x), (v), memory_order_relaxed)
static _Atomic int cell[2];
static void fence(void) {
#ifdef FENCE
  atomic_thread_fence(memory_order_seq_cst);
#endif
}
void update0(int v) { STORE(cell[0], v); fence(); }
void update1(int v) { STORE(cell[1], v); fence(); }
int scan(void) {
  int a = LOAD(cell[0]), b = LOAD(cell[1]);
#ifndef BROKEN
  for (;;) {
    int c = LOAD(cell[0]), d = LOAD(cell[1]);
    if (a == c && b == d)
      break;
    a = c, b = d;
  }
#endif
  return a * 100 + b;
}
