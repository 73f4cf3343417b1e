// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
// Peterson's lock. If turn is handed over by an exchange that acquires and releases, everything else may be relaxed but
// the store that leaves (A. Williams, "Peterson's lock with C++0x atomics"). With a store and one fence, the flag may
// come after the turn where stores overtake each other.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#define LOAD(place, order) atomic_load_explicit(&(place), memory_order_##order)
#define STORE(place, value, order) atomic_store_explicit(&(place), value, memory_order_##order)
#define FENCE(order) atomic_thread_fence(memory_order_##order)

static atomic_int wants[2], turn;
static int owner;

static void enter(int self) {
  STORE(wants[self], 1, relaxed);
#ifdef EXCHANGE
  atomic_exchange_explicit(&turn, 1 - self, memory_order_acq_rel);
#else
#ifdef TWO_FENCES
  FENCE(release);
#endif
  STORE(turn, 1 - self, relaxed);
  FENCE(seq_cst);
#endif
  while (LOAD(wants[1 - self], relaxed) && LOAD(turn, relaxed) == 1 - self)
    ;
  FENCE(acquire);
}

static void work(int self) {
  enter(self);
  owner = self + 1;
  assert(owner == self + 1);
  owner = 0;
  STORE(wants[self], 0, release);
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
