// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Treiber's stack: R. K. Treiber, "Systems Programming: Coping with Parallelism", 1986, as a free list of cells. The head has
// a number beside the index, which each pop raises (the remedy of IBM's "System/370 Principles of Operation"). ROUNDS times
// each thread takes up to two cells, which nobody else may own, and gives them back.
// BROKEN: without the number: a pop may install a successor that was taken meanwhile, if the head is the same again (ABA).
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef THREADS
#define THREADS 2
#endif
#ifndef ROUNDS
#define ROUNDS 1
#endif

#define CELLS THREADS
#define INDEX_BITS 8
#define INDEX_MASK ((1u << INDEX_BITS) - 1)
#ifdef BROKEN
#define POPPED 0
#else
#define POPPED (1u << INDEX_BITS)
#endif

// Cells are counted from one, zero is none. The head is the index of the first cell, and above it the number of pops.
static atomic_uint head;
static atomic_uint next[CELLS + 1];
static atomic_int taken[CELLS + 1];

static unsigned pop(void) {
  for (;;) {
    unsigned top = atomic_load_explicit(&head, memory_order_acquire);
    unsigned cell = top & INDEX_MASK;
    if (cell == 0)
      return 0;
    unsigned below = atomic_load_explicit(&next[cell], memory_order_relaxed);
    if (atomic_compare_exchange_strong_explicit(&head, &top, top - cell + below + POPPED, memory_order_acq_rel,
                                                memory_order_relaxed))
      return cell;
  }
}

static void push(unsigned cell) {
  for (;;) {
    unsigned top = atomic_load_explicit(&head, memory_order_relaxed);
    unsigned below = top & INDEX_MASK;
    atomic_store_explicit(&next[cell], below, memory_order_relaxed);
    if (atomic_compare_exchange_strong_explicit(&head, &top, top - below + cell, memory_order_acq_rel,
                                                memory_order_relaxed))
      return;
  }
}

static unsigned take(void) {
  unsigned cell = pop();
  if (cell != 0)
    assert(atomic_exchange_explicit(&taken[cell], 1, memory_order_relaxed) == 0);
  return cell;
}

static void give_back(unsigned cell) {
  if (cell == 0)
    return;
  atomic_store_explicit(&taken[cell], 0, memory_order_relaxed);
  push(cell);
}

static void *worker(void *unused) {
  for (int round = 0; round < ROUNDS; round++) {
    unsigned first = take();
    unsigned second = take();
    give_back(first);
    give_back(second);
  }
  return unused;
}

int main(void) {
  pthread_t threads[THREADS];
  for (unsigned cell = 1; cell <= CELLS; cell++)
    atomic_store_explicit(&next[cell], cell - 1, memory_order_relaxed);
  atomic_store_explicit(&head, CELLS, memory_order_relaxed);
  for (long i = 0; i < THREADS; i++)
    pthread_create(&threads[i], 0, worker, (void *)i);
  for (int i = 0; i < THREADS; i++)
    pthread_join(threads[i], 0);
}
