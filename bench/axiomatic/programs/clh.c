// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// CLH lock: T. S. Craig, "Building FIFO and Priority-Queuing Spin Locks from Atomic Swap", 1993; A. Landin and
// E. Hagersten, "Queue Locks on Cache Coherent Multiprocessors", 1994. Each thread waits on the node of the one before it,
// and takes that node for its own next time.
// BROKEN: the lock is given back by a relaxed store, which may overtake what was written under the lock.
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

// The last one is the free lock that the first thread finds.
static atomic_int held[THREADS + 1];
static atomic_int tail = THREADS;
static int counter;

static void *worker(void *argument) {
  int mine = (int)(long)argument;
  for (int round = 0; round < ROUNDS; round++) {
    atomic_store_explicit(&held[mine], 1, memory_order_relaxed);
    int before = atomic_exchange_explicit(&tail, mine, memory_order_acq_rel);
    while (atomic_load_explicit(&held[before], memory_order_acquire))
      ;
    counter = counter + 1;
    atomic_store_explicit(&held[mine], 0, HAND_OVER);
    mine = before;
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
