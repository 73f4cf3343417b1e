// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Chase and Lev's deque: D. Chase and Y. Lev, "Dynamic Circular Work-Stealing Deque", 2005, in the C11 form of N. M. Lê, A. Pop,
// A. Cohen and F. Zappa Nardelli, "Correct and Efficient Work-Stealing for Weak Memory Models", 2013, with an array that is
// large enough. The owner puts ROUNDS tasks in and takes until there is none; each other thread tries to steal ROUNDS times.
// Each task is done exactly once.
// BROKEN: no fence in take: the owner may take the last tasks while thieves do not see yet that it does.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef THREADS
#define THREADS 2
#endif
#ifndef ROUNDS
#define ROUNDS 1
#endif

#define EMPTY (-1)
#define ABORT (-2)

static atomic_int top, bottom;
static atomic_int tasks[ROUNDS];
static atomic_int done[ROUNDS];

static void push(int task) {
  int b = atomic_load_explicit(&bottom, memory_order_relaxed);
  atomic_store_explicit(&tasks[b], task, memory_order_relaxed);
  atomic_thread_fence(memory_order_release);
  atomic_store_explicit(&bottom, b + 1, memory_order_relaxed);
}

static int take(void) {
  int b = atomic_load_explicit(&bottom, memory_order_relaxed) - 1;
  atomic_store_explicit(&bottom, b, memory_order_relaxed);
#ifndef BROKEN
  atomic_thread_fence(memory_order_seq_cst);
#endif
  int t = atomic_load_explicit(&top, memory_order_relaxed);
  if (t > b) {
    atomic_store_explicit(&bottom, b + 1, memory_order_relaxed);
    return EMPTY;
  }
  int task = atomic_load_explicit(&tasks[b], memory_order_relaxed);
  if (t == b) {
    // The last one: a thief may want it, too.
    if (!atomic_compare_exchange_strong_explicit(&top, &t, t + 1, memory_order_seq_cst, memory_order_relaxed))
      task = EMPTY;
    atomic_store_explicit(&bottom, b + 1, memory_order_relaxed);
  }
  return task;
}

static int steal(void) {
  int t = atomic_load_explicit(&top, memory_order_acquire);
  atomic_thread_fence(memory_order_seq_cst);
  int b = atomic_load_explicit(&bottom, memory_order_acquire);
  if (t >= b)
    return EMPTY;
  int task = atomic_load_explicit(&tasks[t], memory_order_relaxed);
  if (!atomic_compare_exchange_strong_explicit(&top, &t, t + 1, memory_order_seq_cst, memory_order_relaxed))
    return ABORT;
  return task;
}

static void perform(int task) { assert(atomic_exchange_explicit(&done[task], 1, memory_order_relaxed) == 0); }

static void *worker(void *argument) {
  if ((long)argument == 0) {
    for (int task = 0; task < ROUNDS; task++)
      push(task);
    for (int round = 0; round <= ROUNDS; round++) {
      int task = take();
      if (task == EMPTY)
        break;
      perform(task);
    }
  } else {
    for (int round = 0; round < ROUNDS; round++) {
      int task = steal();
      if (task >= 0)
        perform(task);
    }
  }
  return 0;
}

int main(void) {
  pthread_t threads[THREADS];
  for (long i = 0; i < THREADS; i++)
    pthread_create(&threads[i], 0, worker, (void *)i);
  for (int i = 0; i < THREADS; i++)
    pthread_join(threads[i], 0);
  for (int task = 0; task < ROUNDS; task++)
    assert(atomic_load_explicit(&done[task], memory_order_relaxed));
}
