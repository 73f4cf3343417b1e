// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Partial store order by its definition: every thread has a first-in-first-out buffer per cell, and before every
// operation that looks at memory or at the buffers any number of oldest entries goes to memory. An entry carries the
// number of store fences of its thread before it and does not go before one with a smaller number. The reference for
// epso and imu-pso. SMA_QUEUE: entries of a buffer.
//
// As long as there are no store fences, entries of different cells have nothing to do with each other: what makes no
// difference to an operation, since it is about another cell, can as well go to memory before a later one. And of those
// that go, it matters only how many of each thread there are and which is the last.
#include "synchronous.h"

static sma_value memory[SMA_MOST_CELLS];
static sma_value buffered[SMA_MOST_THREADS][SMA_MOST_CELLS][SMA_MOST_QUEUE];
static unsigned group[SMA_MOST_THREADS][SMA_MOST_CELLS][SMA_MOST_QUEUE];
static unsigned length[SMA_MOST_THREADS][SMA_MOST_CELLS];
static unsigned store_fences[SMA_MOST_THREADS];
static _Bool has_store_fences;
static _Bool in_section; // memory belongs to one thread, whose buffers are empty

void sma_init(void) {
  for (sma_cell c = 0; c < SMA_CELLS; ++c)
    memory[c] = sma_initial[c];
}

static _Bool may_flush(sma_thread t, sma_cell cell) {
  for (sma_cell c = 0; has_store_fences && c < SMA_CELLS; ++c)
    if (length[t][c] != 0 && group[t][c][0] < group[t][cell][0])
      return 0;
  return length[t][cell] != 0;
}

static void remove_oldest(sma_thread t, sma_cell cell) {
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

static void flush_oldest(sma_thread t, sma_cell cell) {
  sma_assume(may_flush(t, cell));
  memory[cell] = buffered[t][cell][0];
  remove_oldest(t, cell);
}

static _Bool is_any_pending(sma_cell cell) {
  for (sma_thread t = 0; t < SMA_THREADS; ++t)
    if (length[t][cell] != 0)
      return 1;
  return 0;
}

static void flush_cell(sma_cell cell) {
  if (!is_any_pending(cell) || !sma_nondet(2))
    return;
  sma_thread last = sma_nondet(SMA_THREADS);
  sma_value value = 0;
  for (sma_thread t = 0; t < SMA_THREADS; ++t) {
    _Bool is_taken = 0;
    for (unsigned i = 0; i < SMA_QUEUE && length[t][cell] != 0 && sma_nondet(2); ++i) {
      is_taken = 1;
      if (t == last)
        value = buffered[t][cell][0];
      remove_oldest(t, cell);
    }
    sma_assume(is_taken || t != last);
  }
  memory[cell] = value;
}

static void flush_all(void) {
  for (unsigned i = 0; i < SMA_THREADS * SMA_CELLS * SMA_QUEUE && sma_nondet(2); ++i) {
    sma_thread t = sma_nondet(SMA_THREADS);
    flush_oldest(t, sma_nondet(SMA_CELLS));
  }
}

static void flush_some(sma_cell cell) {
  if (in_section)
    return;
  if (has_store_fences)
    flush_all();
  else
    flush_cell(cell);
}

static void flush_everywhere(void) {
  if (has_store_fences) {
    flush_all();
    return;
  }
  for (sma_cell c = 0; c < SMA_CELLS; ++c)
    flush_cell(c);
}

void sma_fence(sma_thread t) {
  if (in_section)
    return;
  if (has_store_fences)
    flush_all();
  for (sma_cell c = 0; c < SMA_CELLS; ++c) {
    if (length[t][c] == 0)
      continue;
    if (!has_store_fences)
      flush_cell(c);
    sma_assume(length[t][c] == 0);
    // As is known now: later operations need not find out.
    length[t][c] = 0;
    for (unsigned i = 0; i < SMA_QUEUE; ++i) {
      buffered[t][c][i] = 0;
      group[t][c][i] = 0;
    }
  }
}

void sma_store_fence(sma_thread t) {
  has_store_fences = 1;
  ++store_fences[t];
}

sma_value sma_read(sma_cell cell, sma_thread t) {
  flush_some(cell);
  return length[t][cell] == 0 ? memory[cell] : buffered[t][cell][length[t][cell] - 1];
}

void sma_write(sma_cell cell, sma_value value, sma_thread t) {
  if (in_section) {
    memory[cell] = value;
    return;
  }
  if (length[t][cell] == SMA_QUEUE) {
    flush_some(cell);
    if (length[t][cell] == SMA_QUEUE)
      cut(SMA_BOUND_QUEUE);
  }
  buffered[t][cell][length[t][cell]] = value;
  group[t][cell][length[t][cell]] = store_fences[t];
  ++length[t][cell];
}

sma_value sma_update_begin(sma_cell cell, sma_thread t) {
  sma_fence(t);
  flush_some(cell);
  return memory[cell];
}

void sma_update_end(sma_cell cell, sma_value value, sma_thread t) {
  (void)t;
  memory[cell] = value;
}

void sma_atomic_begin(sma_thread t) {
  sma_fence(t);
  flush_everywhere();
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
