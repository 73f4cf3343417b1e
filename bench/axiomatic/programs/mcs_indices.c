// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// MCS lock, as in mcs.c, with places in an array instead of pointers: 0 is no node, n is nodes[n].
// BROKEN: the lock is handed over by a relaxed store, which may overtake what was written under the lock.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef THREADS
#define THREADS 2
#endif
#ifndef ROUNDS
#define ROUNDS 1
#endif

#ifdef BROKEN
#define HAND_OVER memory_order_relaxed
#else
#define HAND_OVER memory_order_release
#endif

static atomic_int next[THREADS + 1];
static atomic_int waits[THREADS + 1];
static atomic_int tail;
static int counter;

static void lock(int mine) {
  atomic_store_explicit(&next[mine], 0, memory_order_relaxed);
  atomic_store_explicit(&waits[mine], 1, memory_order_relaxed);
  int before = atomic_exchange_explicit(&tail, mine, memory_order_acq_rel);
  if (!before)
    return;
  atomic_store_explicit(&next[before], mine, memory_order_release);
  while (atomic_load_explicit(&waits[mine], memory_order_acquire))
    ;
}

static void unlock(int mine) {
  int after = atomic_load_explicit(&next[mine], memory_order_acquire);
  if (!after) {
    int expected = mine;
    if (atomic_compare_exchange_strong_explicit(&tail, &expected, 0, memory_order_release, memory_order_relaxed))
      return;
    while (!(after = atomic_load_explicit(&next[mine], memory_order_acquire)))
      ;
  }
  atomic_store_explicit(&waits[after], 0, HAND_OVER);
}

static void *worker(void *argument) {
  int mine = (int)(long)argument;
  for (int round = 0; round < ROUNDS; round++) {
    lock(mine);
    counter = counter + 1;
    unlock(mine);
  }
  return 0;
}

int main(void) {
  pthread_t threads[THREADS];
  for (long i = 0; i < THREADS; i++)
    pthread_create(&threads[i], 0, worker, (void *)(i + 1));
  for (int i = 0; i < THREADS; i++)
    pthread_join(threads[i], 0);
  assert(counter == THREADS * ROUNDS);
}
