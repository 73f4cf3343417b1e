// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
// Three threads and two rounds of signals: each knows of all others afterwards, also of those that signalled somebody else.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#define LOAD(place, order) atomic_load_explicit(&(place), memory_order_##order)
#define STORE(place, value, order) atomic_store_explicit(&(place), value, memory_order_##order)
#define FENCE(order) atomic_thread_fence(memory_order_##order)

static atomic_int signals[2][3];
static int data[3];

static void pass(int self) {
  for (int round = 0; round < 2; round++) {
    atomic_store_explicit(&signals[round][(self + round + 1) % 3], 1, ORDER);
    while (!LOAD(signals[round][self], acquire))
      ;
  }
}

static void work(int self) {
  data[self] = 1;
  pass(self);
  assert(data[0] + data[1] + data[2] == 3);
}

static void *first(void *argument) {
  (void)argument;
  work(1);
  return 0;
}

static void *second(void *argument) {
  (void)argument;
  work(2);
  return 0;
}

int main(void) {
  pthread_t one, two;
  pthread_create(&one, 0, first, 0);
  pthread_create(&two, 0, second, 0);
  work(0);
}
