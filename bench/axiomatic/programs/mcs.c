// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// MCS lock: J. M. Mellor-Crummey and M. L. Scott, "Algorithms for Scalable Synchronization on Shared-Memory
// Multiprocessors", 1991. Each thread waits on a node of its own, and the one before it wakes it.
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

struct node {
  _Atomic(struct node *) next;
  atomic_int waits;
};

static struct node nodes[THREADS];
static _Atomic(struct node *) tail;
static int counter;

static void lock(struct node *mine) {
  atomic_store_explicit(&mine->next, 0, memory_order_relaxed);
  atomic_store_explicit(&mine->waits, 1, memory_order_relaxed);
  struct node *before = atomic_exchange_explicit(&tail, mine, memory_order_acq_rel);
  if (!before)
    return;
  atomic_store_explicit(&before->next, mine, memory_order_release);
  while (atomic_load_explicit(&mine->waits, memory_order_acquire))
    ;
}

static void unlock(struct node *mine) {
  struct node *after = atomic_load_explicit(&mine->next, memory_order_acquire);
  if (!after) {
    struct node *expected = mine;
    if (atomic_compare_exchange_strong_explicit(&tail, &expected, 0, memory_order_release, memory_order_relaxed))
      return;
    while (!(after = atomic_load_explicit(&mine->next, memory_order_acquire)))
      ;
  }
  atomic_store_explicit(&after->waits, 0, HAND_OVER);
}

static void *worker(void *argument) {
  struct node *mine = &nodes[(long)argument];
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
    pthread_create(&threads[i], 0, worker, (void *)i);
  for (int i = 0; i < THREADS; i++)
    pthread_join(threads[i], 0);
  assert(counter == THREADS * ROUNDS);
}
