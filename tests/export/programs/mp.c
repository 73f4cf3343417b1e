// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Message passing: under PSO the flag may be seen before the data; not with a fence between the stores.
#include <assert.h>
#include <pthread.h>
#ifdef FENCED
#define FENCE() __atomic_thread_fence(__ATOMIC_RELEASE)
#else
#define FENCE() ((void)0)
#endif
int data, flag;
void *first(void *unused) {
  data = 42;
  FENCE();
  flag = 1;
  return unused;
}
void *second(void *unused) {
  if (flag == 1)
    assert(data == 42);
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
