// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// A detached thread passes a message; it may also never get so far.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
atomic_int x, y;
void *first(void *unused) {
  atomic_store_explicit(&x, 1, memory_order_relaxed);
  atomic_store_explicit(&y, 1, memory_order_relaxed);
  return unused;
}
int main(void) {
  pthread_t a;
  pthread_create(&a, 0, first, 0);
  pthread_detach(a);
#ifdef BROKEN
  assert(atomic_load_explicit(&x, memory_order_relaxed) == 1);
#endif
  if (atomic_load_explicit(&y, memory_order_relaxed) == 1)
    assert(atomic_load_explicit(&x, memory_order_relaxed) == 1);
#ifdef JOINED
  pthread_join(a, 0);
#endif
  return 0;
}
