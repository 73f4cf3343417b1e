// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
// What continues a release sequence: an update by another thread (UPDATE) and, in RC11, a later store of the
// releasing thread (OWN), but no store of another thread (OTHER), even where it depends on the first one. A
// compare-exchange that fails acquires by its failure order alone (FAILS, with SUCCESS and FAILURE).
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#define LOAD(place, order) atomic_load_explicit(&(place), memory_order_##order)
#define STORE(place, value, order) atomic_store_explicit(&(place), value, memory_order_##order)
#define FENCE(order) atomic_thread_fence(memory_order_##order)

static atomic_int data, flag;

static void *release(void *argument) {
  (void)argument;
  STORE(data, 1, relaxed);
  STORE(flag, 1, release);
#ifdef OWN
  STORE(flag, 2, relaxed);
#endif
  return 0;
}

static void *go_on(void *argument) {
  (void)argument;
#ifdef UPDATE
  int expected = 1;
  atomic_compare_exchange_strong_explicit(&flag, &expected, 2, memory_order_relaxed, memory_order_relaxed);
#elif defined(OTHER)
  if (LOAD(flag, relaxed) == 1)
    STORE(flag, 2, relaxed);
#endif
  return 0;
}

int main(void) {
  pthread_t one, two;
  pthread_create(&one, 0, release, 0);
  pthread_create(&two, 0, go_on, 0);
#ifdef FAILS
  int found = 0;
  if (!atomic_compare_exchange_strong_explicit(&flag, &found, 3, SUCCESS, FAILURE) && found == 1)
    assert(LOAD(data, relaxed) == 1);
#else
  if (LOAD(flag, acquire) == 2)
    assert(LOAD(data, relaxed) == 1);
#endif
}
