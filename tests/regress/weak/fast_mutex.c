// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
// Lamport's fast mutex, one attempt of two threads each.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#define LOAD(place, order) atomic_load_explicit(&(place), memory_order_##order)
#define STORE(place, value, order) atomic_store_explicit(&(place), value, memory_order_##order)
#define FENCE(order) atomic_thread_fence(memory_order_##order)

#ifdef FENCED
#define LEAVES_BUFFER FENCE(seq_cst)
#else
#define LEAVES_BUFFER ((void)0)
#endif

static atomic_int x, y, tries[2];
static int inside;

static void set(atomic_int *place, int value) {
  atomic_store_explicit(place, value, memory_order_relaxed);
  LEAVES_BUFFER;
}

static int enter(int self) {
  STORE(tries[self - 1], 1, relaxed);
  set(&x, self);
  if (LOAD(y, relaxed) != 0) {
    set(&tries[self - 1], 0);
    return 0;
  }
  set(&y, self);
  if (LOAD(x, relaxed) == self)
    return 1;
  set(&tries[self - 1], 0);
  for (int i = 0; i < 2; i++)
    while (LOAD(tries[i], relaxed))
      ;
  return LOAD(y, relaxed) == self;
}

static void work(int self) {
  if (!enter(self))
    return;
  FENCE(acquire);
  inside++;
  assert(inside == 1);
  inside--;
  STORE(y, 0, release);
  STORE(tries[self - 1], 0, release);
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
  pthread_join(one, 0);
  pthread_join(two, 0);
}
