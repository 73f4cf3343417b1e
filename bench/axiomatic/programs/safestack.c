// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// SafeStack: D. Vyukov, "Bug with a context switch bound 5", 2010 (CHESS forum). A lock-free stack of array cells, in which
// a pop takes a cell's successor away while it works, so that a second pop of the same cell must wait. It is wrong: three
// threads and three cells bring two threads to own one cell. THREADS threads pop, use and push a cell ROUNDS times.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef THREADS
#define THREADS 3
#endif
#ifndef ROUNDS
#define ROUNDS 2
#endif
#ifndef CELLS
#define CELLS 3
#endif

static atomic_int head, count = CELLS;
static atomic_int next[CELLS];
static atomic_int owner[CELLS];

static int pop(void) {
  while (atomic_load_explicit(&count, memory_order_acquire) > 1) {
    int top = atomic_load_explicit(&head, memory_order_acquire);
    int below = atomic_exchange(&next[top], -1);
    if (below >= 0) {
      int expected = top;
      if (atomic_compare_exchange_strong(&head, &expected, below)) {
        atomic_fetch_sub(&count, 1);
        return top;
      }
      atomic_exchange(&next[top], below);
    }
  }
  return -1;
}

static void push(int cell) {
  int top = atomic_load_explicit(&head, memory_order_acquire);
  do {
    atomic_store_explicit(&next[cell], top, memory_order_release);
  } while (!atomic_compare_exchange_strong(&head, &top, cell));
  atomic_fetch_add(&count, 1);
}

static void *worker(void *argument) {
  int me = (int)(long)argument + 1;
  for (int round = 0; round < ROUNDS; round++) {
    int cell;
    do {
      cell = pop();
    } while (cell < 0);
    atomic_store_explicit(&owner[cell], me, memory_order_relaxed);
    assert(atomic_load_explicit(&owner[cell], memory_order_relaxed) == me);
    push(cell);
  }
  return 0;
}

int main(void) {
  pthread_t threads[THREADS];
  for (int cell = 0; cell < CELLS; cell++)
    atomic_store_explicit(&next[cell], cell + 1 < CELLS ? cell + 1 : -1, memory_order_relaxed);
  for (long i = 0; i < THREADS; i++)
    pthread_create(&threads[i], 0, worker, (void *)i);
  for (int i = 0; i < THREADS; i++)
    pthread_join(threads[i], 0);
}
