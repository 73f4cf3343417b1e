// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// A thread that goes around for ever: a branch in its loop decides only up to where its arms meet. What the tool finds
// there must be confirmed by its checker, which knows the loop and not its copies.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x, y, z;

#define LOAD(place) atomic_load_explicit(&(place), memory_order_relaxed)
#define STORE(place, value) atomic_store_explicit(&(place), value, memory_order_relaxed)

static void *worker(void *argument) {
  (void)argument;
  int is_first = 1;
  while (1) {
    const int r = LOAD(x);
    if (r)
      STORE(z, 1);
    STORE(y, 1);
    assert(!(is_first && r));
    is_first = 0;
  }
}

int main(void) {
  pthread_t one;
  pthread_create(&one, 0, worker, 0);
  STORE(x, LOAD(y));
  pthread_join(one, 0);
}
