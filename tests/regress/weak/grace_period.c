// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
// A reader announces itself in a word of its own; the writer replaces what readers find, waits until nobody is inside, and
// spoils what was replaced. Both need a fence between their store and their load, as in user-level RCU.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#define LOAD(place, order) atomic_load_explicit(&(place), memory_order_##order)
#define STORE(place, value, order) atomic_store_explicit(&(place), value, memory_order_##order)
#define FENCE(order) atomic_thread_fence(memory_order_##order)

static int before = 1, after = 1;
static atomic_int inside;
static _Atomic(int *) current = &before;

static void *first(void *argument) {
  (void)argument;
  STORE(inside, 1, relaxed);
#ifndef READER_WITHOUT
  FENCE(seq_cst);
#endif
  assert(*LOAD(current, acquire) == 1);
  STORE(inside, 0, release);
  return 0;
}

static void *second(void *argument) {
  (void)argument;
  STORE(current, &after, release);
#ifndef WRITER_WITHOUT
  FENCE(seq_cst);
#endif
  while (LOAD(inside, acquire))
    ;
  before = 0;
  return 0;
}

int main(void) {
  pthread_t one, two;
  pthread_create(&one, 0, first, 0);
  pthread_create(&two, 0, second, 0);
  pthread_join(one, 0);
  pthread_join(two, 0);
}
