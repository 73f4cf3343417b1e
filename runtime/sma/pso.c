// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Partial store order by its definition: every thread has a first-in-first-out buffer per cell, and before every operation any number of
// oldest entries goes to memory. An entry carries the number of store fences of its thread before it and does not go
// before one with a smaller number. The reference for epso and imu-pso. SMA_QUEUE: entries of a buffer.
#include "synchronous.h"

static sma_value memory[SMA_MOST_CELLS];
static sma_value buffered[SMA_MOST_THREADS][SMA_MOST_CELLS][SMA_MOST_QUEUE];
static unsigned group[SMA_MOST_THREADS][SMA_MOST_CELLS][SMA_MOST_QUEUE];
static unsigned length[SMA_MOST_THREADS][SMA_MOST_CELLS];
static unsigned store_fences[SMA_MOST_THREADS];
static _Bool in_section;  // memory belongs to one thread, whose buffers are empty

void sma_init(void) {
  for (sma_cell c = 0; c < SMA_CELLS; ++c)
    memory[c] = sma_initial[c];
}

static _Bool may_flush(sma_thread t, sma_cell cell) {
  for (sma_cell c = 0; c < SMA_CELLS; ++c)
    if (length[t][c] != 0 && group[t][c][0] < group[t][cell][0])
      return 0;
  return length[t][cell] != 0;
}

static void flush_oldest(sma_thread t, sma_cell cell) {
  sma_assume(may_flush(t, cell));
  memory[cell] = buffered[t][cell][0];
  --length[t][cell];
  for (unsigned i = 0; i + 1 < SMA_QUEUE; ++i) {
    // What is behind the end is kept at 0, so that equal buffers are equal states.
    _Bool used = i < length[t][cell];
    buffered[t][cell][i] = used ? buffered[t][cell][i + 1] : 0;
    group[t][cell][i] = used ? group[t][cell][i + 1] : 0;
  }
  buffered[t][cell][SMA_QUEUE - 1] = 0;
  group[t][cell][SMA_QUEUE - 1] = 0;
}

static void flush_some(void) {
  if (in_section)
    return;
  for (unsigned i = 0; i < SMA_THREADS * SMA_CELLS * SMA_QUEUE; ++i) {
    unsigned t = sma_nondet(SMA_THREADS + 1);
    if (t == SMA_THREADS)
      return;
    flush_oldest(t, sma_nondet(SMA_CELLS));
  }
}

void sma_fence(sma_thread t) {
  flush_some();
  for (sma_cell c = 0; c < SMA_CELLS; ++c)
    sma_assume(length[t][c] == 0);
}

void sma_store_fence(sma_thread t) { ++store_fences[t]; }

sma_value sma_read(sma_cell cell, sma_thread t) {
  flush_some();
  return length[t][cell] == 0 ? memory[cell] : buffered[t][cell][length[t][cell] - 1];
}

void sma_write(sma_cell cell, sma_value value, sma_thread t) {
  flush_some();
  if (in_section) {
    memory[cell] = value;
    return;
  }
  if (length[t][cell] == SMA_QUEUE)
    cut(SMA_BOUND_QUEUE);
  buffered[t][cell][length[t][cell]] = value;
  group[t][cell][length[t][cell]] = store_fences[t];
  ++length[t][cell];
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
