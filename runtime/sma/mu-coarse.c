// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Coarse-grained memory unwinding: a run is cut into clusters, and what memory holds at the beginning of each is guessed. In a cluster the
// threads run in the order in which they are called, so that a cluster takes any number of writes. (Tomasco 2017, section 5.4; a
// cluster is checked at the end, which also allows clusters in which nobody writes.) Sequential consistency. SMA_WRITES: clusters.
//
// Which runs fit into some number of clusters depends on the order in which the threads are called; with enough clusters all do.
#include "asynchronous.h"

static unsigned last;  // the last cluster
static sma_value start[SMA_MOST_WRITES][SMA_MOST_CELLS];
static sma_value memory[SMA_MOST_WRITES][SMA_MOST_CELLS];
static _Bool has_writes[SMA_MOST_WRITES];
static unsigned position[SMA_MOST_THREADS];

void sma_init(void) {
  last = sma_nondet(SMA_WRITES);
  for (unsigned i = 0; i < SMA_WRITES; ++i)
    for (sma_cell c = 0; c < SMA_CELLS; ++c) {
      start[i][c] = i == 0 ? sma_initial[c] : i <= last ? sma_nondet_value() : 0;
      memory[i][c] = start[i][c];
    }
}

// No single write is guessed.
static _Bool owes_writes(sma_thread t) {
  (void)t;
  return 0;
}

static void move(sma_thread t) {
  if (in_section[t])
    return;
  unsigned to = sma_nondet(SMA_WRITES);
  sma_assume(position[t] <= to && to <= last);
  position[t] = to;
}

static void store(sma_cell cell, sma_value v, sma_thread t) {
  memory[position[t]][cell] = v;
  has_writes[position[t]] = 1;
}

sma_value sma_read(sma_cell cell, sma_thread t) {
  move(t);
  return memory[position[t]][cell];
}

sma_value sma_ind_read(sma_cell address, sma_thread t) { return sma_read(cell_at(address), t); }

void sma_write(sma_cell cell, sma_value v, sma_thread t) {
  move(t);
  store(cell, v, t);
}

sma_value sma_update_begin(sma_cell cell, sma_thread t) { return sma_read(cell, t); }
void sma_update_end(sma_cell cell, sma_value v, sma_thread t) { store(cell, v, t); }

void sma_atomic_begin(sma_thread t) {
  move(t);
  in_section[t] = 1;
}

void sma_atomic_end(sma_thread t) { in_section[t] = 0; }

void sma_fence(sma_thread t) { (void)t; }
void sma_store_fence(sma_thread t) { (void)t; }

void sma_create(sma_thread child, sma_thread parent) {
  created[child] = 1;
  position[child] = parent == SMA_NONE ? 0 : position[parent];
}

// A thread that has not been run yet comes later in the same cluster, so it has to end in an earlier one.
void sma_join(sma_thread joined, sma_thread joiner) {
  _Bool comes_later = !is_over[joined];
  unsigned end = end_of(joined, SMA_WRITES);
  position[joiner] = later(position[joiner], comes_later ? end + 1 : end);
  sma_assume(position[joiner] <= last);
}

void sma_terminate(sma_thread t) { end_thread(t, position[t]); }

// Could an interrupted thread go on in one more cluster? Not if two clusters without writes could be one.
static _Bool needs_more_clusters(void) {
  _Bool any = 0;
  for (sma_thread t = 0; t < SMA_THREADS; ++t)
    any = any || stopped[t];
  _Bool full = last == SMA_WRITES - 1;
  for (unsigned i = 1; i < SMA_WRITES; ++i)
    full = full && (has_writes[i - 1] || has_writes[i]);
  return any && full;
}

void sma_finish(void) {
  for (unsigned i = 1; i < SMA_WRITES; ++i)
    for (sma_cell c = 0; c < SMA_CELLS; ++c)
      sma_assume(i > last || memory[i - 1][c] == start[i][c]);
  if (needs_more_clusters() && sma_nondet(2))
    bound_hit = SMA_BOUND_WRITES;
  finish_threads();
}

unsigned sma_now(sma_thread t) { return position[t]; }
