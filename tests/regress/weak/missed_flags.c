// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
// Locks that are taken crosswise only if both threads miss the other one's flag: a deadlock of store buffering.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#define LOAD(place, order) atomic_load_explicit(&(place), memory_order_##order)
#define STORE(place, value, order) atomic_store_explicit(&(place), value, memory_order_##order)
#define FENCE(order) atomic_thread_fence(memory_order_##order)

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static atomic_int x, y;

static void take(pthread_mutex_t *outer, pthread_mutex_t *inner) {
  pthread_mutex_lock(outer);
  pthread_mutex_lock(inner);
  pthread_mutex_unlock(inner);
  pthread_mutex_unlock(outer);
}

static void *first(void *argument) {
  (void)argument;
  atomic_store_explicit(&x, 1, ORDER);
  if (!atomic_load_explicit(&y, ORDER))
    take(&a, &b);
  return 0;
}

static void *second(void *argument) {
  (void)argument;
  atomic_store_explicit(&y, 1, ORDER);
  if (!atomic_load_explicit(&x, ORDER))
    take(&b, &a);
  return 0;
}

int main(void) {
  pthread_t one, two;
  pthread_create(&one, 0, first, 0);
  pthread_create(&two, 0, second, 0);
  pthread_join(one, 0);
  pthread_join(two, 0);
}
