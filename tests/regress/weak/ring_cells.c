// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
// A cell of a ring is taken by fetch-and-add, and an exchange decides whether the writer or the reader came first.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#define LOAD(place, order) atomic_load_explicit(&(place), memory_order_##order)
#define STORE(place, value, order) atomic_store_explicit(&(place), value, memory_order_##order)
#define FENCE(order) atomic_thread_fence(memory_order_##order)

static int value;
static int closed;
static _Atomic(int *) cells[2];
static atomic_uint head, tail;

static void *first(void *argument) {
  (void)argument;
  value = 7;
  for (;;) {
    const unsigned mine = atomic_fetch_add_explicit(&tail, 1, memory_order_relaxed);
    if (mine >= 2)
      return 0;
    int *found = 0;
    if (atomic_compare_exchange_strong_explicit(&cells[mine], &found, &value, ORDER, memory_order_relaxed))
      return 0;
  }
}

static void *second(void *argument) {
  (void)argument;
  const unsigned mine = atomic_fetch_add_explicit(&head, 1, memory_order_relaxed);
  int *const found = atomic_exchange_explicit(&cells[mine], &closed, ORDER);
  if (found)
    assert(*found == 7);
  return 0;
}

int main(void) {
  pthread_t one, two;
  pthread_create(&one, 0, first, 0);
  pthread_create(&two, 0, second, 0);
  pthread_join(one, 0);
  pthread_join(two, 0);
}
