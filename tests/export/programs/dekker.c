// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Dekker's algorithm, once in each thread. Without fences a loop stores without ever emptying the buffer.
#include <assert.h>
#include <pthread.h>
#ifdef FENCED
#define FENCE() __atomic_thread_fence(__ATOMIC_SEQ_CST)
#else
#define FENCE() ((void)0)
#endif
int wants[2], turn, inside;
static void enter(int me) {
  wants[me] = 1;
  FENCE();
  while (wants[1 - me]) {
    if (turn != me) {
      wants[me] = 0;
      while (turn != me)
        ;
      wants[me] = 1;
      FENCE();
    }
  }
  inside = inside + 1;
  assert(inside == 1);
  inside = inside - 1;
  FENCE();
  turn = 1 - me;
  FENCE();
  wants[me] = 0;
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
