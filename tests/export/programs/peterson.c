// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Peterson's algorithm, once in each thread; without fences it excludes nobody under TSO.
#include <assert.h>
#include <pthread.h>
#ifdef FENCED
#define FENCE() __atomic_thread_fence(__ATOMIC_SEQ_CST)
#else
#define FENCE() ((void)0)
#endif
int flag[2], turn, inside;
static void enter(int me) {
  flag[me] = 1;
  FENCE();
  turn = 1 - me;
  FENCE();
  while (flag[1 - me] == 1 && turn == 1 - me)
    ;
  inside = inside + 1;
  assert(inside == 1);
  inside = inside - 1;
  FENCE();
  flag[me] = 0;
}
void *first(void *unused) {
  enter(0);
  return unused;
}
void *second(void *unused) {
  enter(1);
  return unused;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, first, 0);
  pthread_create(&b, 0, second, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
