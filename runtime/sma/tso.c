// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Total store order by its definition: every thread has a first-in-first-out buffer of writes, and before every operation any
// number of oldest entries, of any threads, goes to memory. The reference for etso and imu-tso; costly to analyse, since every operation has
// a loop over all buffers. SMA_QUEUE: entries of a buffer.
#include "synchronous.h"

static sma_value memory[SMA_MOST_CELLS];
static sma_cell buffered_cell[SMA_MOST_THREADS][SMA_MOST_QUEUE];
static sma_value buffered_value[SMA_MOST_THREADS][SMA_MOST_QUEUE];
static unsigned length[SMA_MOST_THREADS];
static _Bool in_section;  // memory belongs to one thread, whose buffer is empty

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

static void flush_some(void) {
  if (in_section)
    return;
  for (unsigned i = 0; i < SMA_THREADS * SMA_QUEUE; ++i) {
    unsigned t = sma_nondet(SMA_THREADS + 1);
    if (t == SMA_THREADS)
      return;
    flush_oldest(t);
  }
}

void sma_fence(sma_thread t) {
  flush_some();
  sma_assume(length[t] == 0);
}

void sma_store_fence(sma_thread t) { (void)t; }

sma_value sma_read(sma_cell cell, sma_thread t) {
  flush_some();
  sma_value value = memory[cell];
  for (unsigned i = 0; i < SMA_QUEUE; ++i)
    if (i < length[t] && buffered_cell[t][i] == cell)
      value = buffered_value[t][i];
  return value;
}

void sma_write(sma_cell cell, sma_value value, sma_thread t) {
  flush_some();
  if (in_section) {
    memory[cell] = value;
    return;
  }
  if (length[t] == SMA_QUEUE)
    cut(SMA_BOUND_QUEUE);
  buffered_cell[t][length[t]] = cell;
  buffered_value[t][length[t]] = value;
  ++length[t];
}

sma_value sma_update_begin(sma_cell cell, sma_thread t) {
  sma_fence(t);
  return memory[cell];
}

void sma_update_end(sma_cell cell, sma_value value, sma_thread t) {
  (void)t;
  memory[cell] = value;
}

void sma_atomic_begin(sma_thread t) {
  sma_fence(t);
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
