// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Memory unwinding: the sequence of all writes of the run is guessed at the beginning (who writes what where). Every
// thread then moves along this sequence by itself: a write must be the next one of the thread in the sequence, a read
// happens at some position before that. (Tomasco 2017, section 5.3.) Sequential consistency.
//
// Position 0 is the initial state, so that SMA_WRITES - 1 writes fit. How the value of a cell at a position is found
// makes the difference between mu.c, mu-implicit.c and mu-hybrid.c.
#pragma once

#include "guessed_writes.h"

static sma_thread writer[SMA_MOST_WRITES];
static sma_cell written[SMA_MOST_WRITES];
static sma_value value[SMA_MOST_WRITES];
static unsigned last;                    // position of the last write
static _Bool is_inside[SMA_MOST_WRITES]; // between two writes of an atomic section: nobody else is ever here
static _Bool section_wrote[SMA_MOST_THREADS];
// The next write of a thread behind a position; SMA_WRITES: none.
static unsigned next_own[SMA_MOST_WRITES][SMA_MOST_THREADS];
static unsigned position[SMA_MOST_THREADS];

static void guess_writes(void) {
  last = sma_nondet(SMA_WRITES);
  for (unsigned i = 1; i < SMA_WRITES; ++i) {
    _Bool used = i <= last;
    writer[i] = used ? sma_nondet(SMA_THREADS) : SMA_NONE;
    written[i] = used ? sma_nondet(SMA_CELLS) : 0;
    value[i] = used ? sma_nondet_value() : 0;
    is_inside[i] = i < last && sma_nondet(2) != 0;
  }
  for (sma_thread t = 0; t < SMA_THREADS; ++t) {
    next_own[SMA_WRITES - 1][t] = SMA_WRITES;
    for (unsigned i = SMA_WRITES - 1; i > 0; --i)
      next_own[i - 1][t] = writer[i] == t ? i : next_own[i][t];
  }
}

static unsigned next_write(sma_thread t) { return next_own[position[t]][t]; }

static _Bool owes_writes(sma_thread t) { return next_write(t) != SMA_WRITES; }

// The thread makes a write that is not in the sequence: right only if the sequence is full.
static void write_does_not_fit(sma_thread t) {
  sma_assume(last == SMA_WRITES - 1);
  stop_at_bound(t, SMA_BOUND_WRITES);
}

// The position of a read, an atomic section or the like: anywhere from where the thread is to before its next write.
static void move(sma_thread t) {
  if (in_section[t])
    return;
  unsigned to = sma_nondet(SMA_WRITES);
  sma_assume(position[t] <= to && to <= last && to < next_write(t) && !is_inside[to]);
  position[t] = to;
}

void sma_write(sma_cell cell, sma_value v, sma_thread t) {
  unsigned to = next_write(t);
  if (to == SMA_WRITES) {
    write_does_not_fit(t);
    return;
  }
  sma_assume(written[to] == cell && value[to] == v);
  if (in_section[t]) {
    sma_assume(to == position[t] + 1 && (!section_wrote[t] || is_inside[position[t]]));
    section_wrote[t] = 1;
  }
  position[t] = to;
}

// What the cell holds at a position; each schema defines it.
static sma_value value_at(sma_cell cell, unsigned at);

sma_value sma_update_begin(sma_cell cell, sma_thread t) {
  unsigned to = next_write(t);
  if (to == SMA_WRITES) {
    write_does_not_fit(t);
    return sma_read(cell, t);
  }
  sma_assume(!in_section[t] || to == position[t] + 1);
  position[t] = to - 1;
  return value_at(cell, to - 1);
}

void sma_update_end(sma_cell cell, sma_value v, sma_thread t) {
  if (!stopped[t])
    sma_write(cell, v, t);
}

void sma_atomic_begin(sma_thread t) {
  move(t);
  in_section[t] = 1;
  section_wrote[t] = 0;
}

void sma_atomic_end(sma_thread t) { in_section[t] = 0; }

void sma_fence(sma_thread t) { (void)t; }
void sma_store_fence(sma_thread t) { (void)t; }

void sma_create(sma_thread child, sma_thread parent) {
  created[child] = 1;
  position[child] = parent == SMA_NONE ? 0 : position[parent];
  sma_assume(next_own[0][child] > position[child]); // nobody has seen a write of a thread that did not exist
}

static sma_value guess_end(void) { return sma_nondet(SMA_WRITES); }

void sma_join(sma_thread joined, sma_thread joiner) {
  unsigned end = (unsigned)end_of(joined);
  sma_assume(end <= last && end < next_write(joiner));
  position[joiner] = later(position[joiner], end);
}

void sma_terminate(sma_thread t) { end_thread(t, position[t]); }

void sma_finish(void) { finish_threads(); }

unsigned sma_now(sma_thread t) { return position[t]; }
