// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Store buffering: both threads may read 0 under TSO and PSO; not with fences.
#include <assert.h>
#include <pthread.h>
#ifdef FENCED
#define FENCE() __atomic_thread_fence(__ATOMIC_SEQ_CST)
#else
#define FENCE() ((void)0)
#endif
int x, y, r1, r2;
void *first(void *unused) {
  x = 1;
  FENCE();
  r1 = y;
  return unused;
}
void *second(void *unused) {
  y = 1;
  FENCE();
  r2 = x;
  return unused;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, first, 0);
  pthread_create(&b, 0, second, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(r1 == 1 || r2 == 1);
  return 0;
}
