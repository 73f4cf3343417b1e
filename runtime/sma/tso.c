// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Total store order by its definition: every thread has a first-in-first-out buffer of writes, and before every
// operation that looks at memory or at the buffers any number of oldest entries, of any threads, goes to memory. The
// reference for etso and imu-tso; costly to analyse, since such an operation has a loop over all buffers. SMA_QUEUE:
// entries of a buffer.
//
// What goes to memory after the last entry that makes a difference to the operation can as well go before a later one.
// So that last entry is the last: one of the cell that is read, or one of the thread that waits.
#include "synchronous.h"

static sma_value memory[SMA_MOST_CELLS];
static sma_cell buffered_cell[SMA_MOST_THREADS][SMA_MOST_QUEUE];
static sma_value buffered_value[SMA_MOST_THREADS][SMA_MOST_QUEUE];
static unsigned length[SMA_MOST_THREADS];
static _Bool in_section; // memory belongs to one thread, whose buffer is empty

void sma_init(void) {
  for (sma_cell c = 0; c < SMA_CELLS; ++c)
    memory[c] = sma_initial[c];
}

static void flush_oldest(sma_thread t) {
  sma_assume(length[t] != 0);
  memory[buffered_cell[t][0]] = buffered_value[t][0];
  --length[t];
  for (unsigned i = 0; i + 1 < SMA_QUEUE; ++i) {
    // What is behind the end is kept at 0, so that equal buffers are equal states.
    _Bool used = i < length[t];
    buffered_cell[t][i] = used ? buffered_cell[t][i + 1] : 0;
    buffered_value[t][i] = used ? buffered_value[t][i + 1] : 0;
  }
  buffered_cell[t][SMA_QUEUE - 1] = 0;
  buffered_value[t][SMA_QUEUE - 1] = 0;
}

static _Bool is_any_pending(void) {
  for (sma_thread t = 0; t < SMA_THREADS; ++t)
    if (length[t] != 0)
      return 1;
  return 0;
}

// The cell or the thread of the last entry is the one that is given; SMA_NONE: any.
static void flush_some(sma_cell cell, sma_thread t) {
  if (in_section)
    return;
  _Bool is_last = 1;
  for (unsigned i = 0; i < SMA_THREADS * SMA_QUEUE && is_any_pending() && sma_nondet(2); ++i) {
    sma_thread chosen = sma_nondet(SMA_THREADS);
    for (sma_thread u = 0; u < SMA_THREADS; ++u)
      if (u == chosen) {
        is_last = (cell == SMA_NONE || buffered_cell[u][0] == cell) && (t == SMA_NONE || u == t);
        flush_oldest(u);
      }
  }
  sma_assume(is_last);
}

void sma_fence(sma_thread t) {
  if (length[t] == 0)
    return;
  flush_some(SMA_NONE, t);
  sma_assume(length[t] == 0);
  // As is known now: later operations need not find out.
  length[t] = 0;
  for (unsigned i = 0; i < SMA_QUEUE; ++i) {
    buffered_cell[t][i] = 0;
    buffered_value[t][i] = 0;
  }
}

void sma_store_fence(sma_thread t) { (void)t; }

sma_value sma_read(sma_cell cell, sma_thread t) {
  flush_some(cell, SMA_NONE);
  sma_value value = memory[cell];
  for (unsigned i = 0; i < SMA_QUEUE; ++i)
    if (i < length[t] && buffered_cell[t][i] == cell)
      value = buffered_value[t][i];
  return value;
}

void sma_write(sma_cell cell, sma_value value, sma_thread t) {
  if (in_section) {
    memory[cell] = value;
    return;
  }
  if (length[t] == SMA_QUEUE) {
    flush_some(SMA_NONE, t);
    if (length[t] == SMA_QUEUE)
      cut(SMA_BOUND_QUEUE);
  }
  buffered_cell[t][length[t]] = cell;
  buffered_value[t][length[t]] = value;
  ++length[t];
}

sma_value sma_update_begin(sma_cell cell, sma_thread t) {
  sma_fence(t);
  flush_some(cell, SMA_NONE);
  return memory[cell];
}

void sma_update_end(sma_cell cell, sma_value value, sma_thread t) {
  (void)t;
  memory[cell] = value;
}

void sma_atomic_begin(sma_thread t) {
  sma_fence(t);
  flush_some(SMA_NONE, SMA_NONE);
  in_section = 1;
}

void sma_atomic_end(sma_thread t) {
  (void)t;
  in_section = 0;
}

unsigned sma_now(sma_thread t) {
  (void)t;
  return 0;
}
