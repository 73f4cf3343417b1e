// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// A thread waits in a loop for a flag, by relaxed accesses: what is written is seen in the end under every model.
// NOBODY writes the flag; LOST: an older store may come to be the last one.
#include <pthread.h>
#include <stdatomic.h>

static atomic_int flag;

static void *writer(void *unused) {
#ifndef NOBODY
  atomic_store_explicit(&flag, 1, memory_order_relaxed);
#endif
  return 0;
}

static void *clearer(void *unused) {
#ifdef LOST
  atomic_store_explicit(&flag, 0, memory_order_relaxed);
#endif
  return 0;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, writer, 0);
  pthread_create(&b, 0, clearer, 0);
  while (!atomic_load_explicit(&flag, memory_order_relaxed))
    ;
  pthread_join(a, 0);
  pthread_join(b, 0);
}
