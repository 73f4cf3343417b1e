// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Ticket lock: D. P. Reed and R. K. Kanodia, "Synchronization with Eventcounts and Sequencers", 1979; in this form
// J. M. Mellor-Crummey and M. L. Scott, "Algorithms for Scalable Synchronization on Shared-Memory Multiprocessors", 1991.
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

static atomic_uint next_ticket, now_serving;
static int counter;

static void *worker(void *unused) {
  for (int round = 0; round < ROUNDS; round++) {
    unsigned mine = atomic_fetch_add_explicit(&next_ticket, 1, memory_order_relaxed);
    while (atomic_load_explicit(&now_serving, memory_order_acquire) != mine)
      ;
    counter = counter + 1;
    atomic_store_explicit(&now_serving, mine + 1, HAND_OVER);
  }
  return unused;
}

int main(void) {
  pthread_t threads[THREADS];
  for (long i = 0; i < THREADS; i++)
    pthread_create(&threads[i], 0, worker, (void *)i);
  for (int i = 0; i < THREADS; i++)
    pthread_join(threads[i], 0);
  assert(counter == THREADS * ROUNDS);
}
