// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
// Szymanski's lock for two threads: five states of a flag, no turn.
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

static atomic_int state[2];
static int inside;

static void set(int self, int value) {
  STORE(state[self], value, relaxed);
  LEAVES_BUFFER;
}

static void work(int self) {
  const int other = 1 - self;
  set(self, 1);
  while (LOAD(state[other], relaxed) >= 3)
    ;
  set(self, 3);
  if (LOAD(state[other], relaxed) == 1) {
    set(self, 2);
    while (LOAD(state[other], relaxed) != 4)
      ;
  }
  set(self, 4);
  if (self == 1)
    while (LOAD(state[0], relaxed) >= 2)
      ;
  FENCE(acquire);
  inside++;
  assert(inside == 1);
  inside--;
  if (self == 0) {
    int seen;
    do
      seen = LOAD(state[1], relaxed);
    while (seen == 2 || seen == 3);
  }
  STORE(state[self], 0, release);
}

static void *first(void *argument) {
  (void)argument;
  work(0);
  return 0;
}

static void *second(void *argument) {
  (void)argument;
  work(1);
  return 0;
}

int main(void) {
  pthread_t one, two;
  pthread_create(&one, 0, first, 0);
  pthread_create(&two, 0, second, 0);
  pthread_join(one, 0);
  pthread_join(two, 0);
}
