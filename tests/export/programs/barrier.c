// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// A barrier that is used twice by two threads: what was written before it is seen after it, and one of them is told that it was the last.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
pthread_barrier_t barrier;
atomic_int x, y, last;
void *first(void *unused) {
  atomic_store_explicit(&x, 1, memory_order_relaxed);
  if (pthread_barrier_wait(&barrier) != 0)
    atomic_fetch_add(&last, 1);
  assert(atomic_load_explicit(&y, memory_order_relaxed) == 1);
#ifndef BROKEN
  pthread_barrier_wait(&barrier);
#endif
  atomic_store_explicit(&x, 2, memory_order_relaxed);
  return unused;
}
int main(void) {
  pthread_t a;
  pthread_barrier_init(&barrier, 0, 2);
  pthread_create(&a, 0, first, 0);
  atomic_store_explicit(&y, 1, memory_order_relaxed);
  if (pthread_barrier_wait(&barrier) != 0)
    atomic_fetch_add(&last, 1);
  assert(atomic_load_explicit(&x, memory_order_relaxed) == 1);
#ifndef BROKEN
  pthread_barrier_wait(&barrier);
#endif
  pthread_join(a, 0);
  assert(atomic_load_explicit(&last, memory_order_relaxed) == 1);
  return 0;
}
