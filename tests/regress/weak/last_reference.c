// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
// Who drops the last reference sees what the others did before they dropped theirs, if dropping releases and the last one
// acquires. A branch on the count does not order later loads on any processor but x86.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#define LOAD(place, order) atomic_load_explicit(&(place), memory_order_##order)
#define STORE(place, value, order) atomic_store_explicit(&(place), value, memory_order_##order)
#define FENCE(order) atomic_thread_fence(memory_order_##order)

static atomic_int references = 2;
static int data[2];

static void drop(int self) {
  data[self] = 1;
  if (atomic_fetch_sub_explicit(&references, 1, ORDER) == 1) {
#ifdef ACQUIRES
    FENCE(acquire);
#endif
    assert(data[1 - self] == 1);
  }
}

static void *first(void *argument) {
  (void)argument;
  drop(0);
  return 0;
}

static void *second(void *argument) {
  (void)argument;
  drop(1);
  return 0;
}

int main(void) {
  pthread_t one, two;
  pthread_create(&one, 0, first, 0);
  pthread_create(&two, 0, second, 0);
  pthread_join(one, 0);
  pthread_join(two, 0);
}
