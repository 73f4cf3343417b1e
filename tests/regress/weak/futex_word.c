// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
// The three states of a mutex on a futex (free, taken, waited for), with waiting as a loop on the word.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#define LOAD(place, order) atomic_load_explicit(&(place), memory_order_##order)
#define STORE(place, value, order) atomic_store_explicit(&(place), value, memory_order_##order)
#define FENCE(order) atomic_thread_fence(memory_order_##order)

static atomic_int word;
static int count;

static void lock(void) {
  int found = 0;
  if (atomic_compare_exchange_strong_explicit(&word, &found, 1, TAKE, memory_order_relaxed))
    return;
  while (atomic_exchange_explicit(&word, 2, TAKE) != 0)
    while (LOAD(word, relaxed) == 2)
      ;
}

static void work(void) {
  lock();
  count++;
  atomic_exchange_explicit(&word, 0, GIVE);
}

static void *first(void *argument) {
  (void)argument;
  work();
  return 0;
}

int main(void) {
  pthread_t one;
  pthread_create(&one, 0, first, 0);
  work();
  pthread_join(one, 0);
  assert(count == 2);
}
