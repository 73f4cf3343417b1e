// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Michael and Scott's queue: M. M. Michael and M. L. Scott, "Simple, Fast, and Practical Non-Blocking and Blocking Concurrent
// Queue Algorithms", 1996, without reuse of nodes. ROUNDS times each thread puts an item in and then takes one out: there is
// always one, and nobody else has had it.
// BROKEN: takes an item out without looking whether the head is still the same.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef THREADS
#define THREADS 2
#endif
#ifndef ROUNDS
#define ROUNDS 1
#endif

// The first node is the dummy; node n carries item n.
#define NODES (THREADS * ROUNDS + 1)

static atomic_int head, tail;
static atomic_int next[NODES]; // zero: none yet (the dummy has no predecessor)
static int item[NODES];
static atomic_int taken[NODES];

static void enqueue(int node) {
  item[node] = node;
  for (;;) {
    int last = atomic_load_explicit(&tail, memory_order_acquire);
    int after = atomic_load_explicit(&next[last], memory_order_acquire);
    if (after != 0) {
      // Another thread has not moved the tail yet: help.
      atomic_compare_exchange_strong_explicit(&tail, &last, after, memory_order_release, memory_order_relaxed);
      continue;
    }
    if (atomic_compare_exchange_strong_explicit(&next[last], &after, node, memory_order_release, memory_order_relaxed)) {
      atomic_compare_exchange_strong_explicit(&tail, &last, node, memory_order_release, memory_order_relaxed);
      return;
    }
  }
}

// Zero if the queue is empty.
static int dequeue(void) {
  for (;;) {
    int first = atomic_load_explicit(&head, memory_order_acquire);
    int last = atomic_load_explicit(&tail, memory_order_acquire);
    int after = atomic_load_explicit(&next[first], memory_order_acquire);
    if (atomic_load_explicit(&head, memory_order_acquire) != first)
      continue;
    if (first == last) {
      if (after == 0)
        return 0;
      atomic_compare_exchange_strong_explicit(&tail, &last, after, memory_order_release, memory_order_relaxed);
      continue;
    }
    int found = item[after];
#ifdef BROKEN
    atomic_store_explicit(&head, after, memory_order_release);
    return found;
#else
    if (atomic_compare_exchange_strong_explicit(&head, &first, after, memory_order_acq_rel, memory_order_relaxed))
      return found;
#endif
  }
}

static void *worker(void *argument) {
  int mine = (int)(long)argument * ROUNDS + 1;
  for (int round = 0; round < ROUNDS; round++) {
    enqueue(mine + round);
    int found = dequeue();
    assert(found != 0);
    assert(atomic_exchange_explicit(&taken[found], 1, memory_order_relaxed) == 0);
  }
  return 0;
}

int main(void) {
  pthread_t threads[THREADS];
  for (long i = 0; i < THREADS; i++)
    pthread_create(&threads[i], 0, worker, (void *)i);
  for (int i = 0; i < THREADS; i++)
    pthread_join(threads[i], 0);
}
