// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Sequence lock: C. Lameter, "Effective Synchronization on Linux/NUMA Systems", 2005; with the orders of H.-J. Boehm, "Can
// Seqlocks Get Along with Programming Language Memory Models?", 2012. One thread writes ROUNDS times, the others read once.
// BROKEN: no fence after the number is made odd, so that data may become visible before it.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef THREADS
#define THREADS 2
#endif
#ifndef ROUNDS
#define ROUNDS 1
#endif

static atomic_uint sequence;
static atomic_int left, right;

static void write_both(int value) {
  unsigned before = atomic_load_explicit(&sequence, memory_order_relaxed);
  atomic_store_explicit(&sequence, before + 1, memory_order_relaxed);
#ifndef BROKEN
  atomic_thread_fence(memory_order_release);
#endif
  atomic_store_explicit(&left, value, memory_order_relaxed);
  atomic_store_explicit(&right, value, memory_order_relaxed);
  atomic_store_explicit(&sequence, before + 2, memory_order_release);
}

static void read_both(void) {
  unsigned before, after;
  int seen_left, seen_right;
  do {
    before = atomic_load_explicit(&sequence, memory_order_acquire);
    seen_left = atomic_load_explicit(&left, memory_order_relaxed);
    seen_right = atomic_load_explicit(&right, memory_order_relaxed);
    atomic_thread_fence(memory_order_acquire);
    after = atomic_load_explicit(&sequence, memory_order_relaxed);
  } while (before != after || before % 2 != 0);
  assert(seen_left == seen_right);
}

static void *worker(void *argument) {
  if ((long)argument == 0)
    for (int round = 1; round <= ROUNDS; round++)
      write_both(round);
  else
    read_both();
  return 0;
}

int main(void) {
  pthread_t threads[THREADS];
  for (long i = 0; i < THREADS; i++)
    pthread_create(&threads[i], 0, worker, (void *)i);
  for (int i = 0; i < THREADS; i++)
    pthread_join(threads[i], 0);
}
