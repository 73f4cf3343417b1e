// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
// A barrier whose last thread turns the sense. On processors the update is also a fence between the data and the sense; in C
// the store of the sense must release.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#define LOAD(place, order) atomic_load_explicit(&(place), memory_order_##order)
#define STORE(place, value, order) atomic_store_explicit(&(place), value, memory_order_##order)
#define FENCE(order) atomic_thread_fence(memory_order_##order)

static atomic_int missing = 2, sense;
static int data[2];

static void pass(void) {
  const int next = !LOAD(sense, relaxed);
  if (atomic_fetch_sub_explicit(&missing, 1, memory_order_acq_rel) == 1) {
    STORE(missing, 2, relaxed);
    atomic_store_explicit(&sense, next, ORDER);
  } else {
    while (LOAD(sense, acquire) != next)
      ;
  }
}

static void *first(void *argument) {
  (void)argument;
  data[0] = 1;
  pass();
  assert(data[1] == 1);
  return 0;
}

static void *second(void *argument) {
  (void)argument;
  data[1] = 1;
  pass();
  assert(data[0] == 1);
  return 0;
}

int main(void) {
  pthread_t one, two;
  pthread_create(&one, 0, first, 0);
  pthread_create(&two, 0, second, 0);
  pthread_join(one, 0);
  pthread_join(two, 0);
}
