// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// The transactional mutex lock of Dalessandro and others (Euro-Par 2010): a global counter is odd
// while a writer is under way. A transaction that finds that it has changed starts again. PSO needs
// the data before the commit (PSO_FENCE). With BROKEN a read does not look at the counter afterwards.
//
//   heddle linearizable tml.c --object stm --functions w0r1,w1r0
#include <stdatomic.h>

static _Atomic int global;
static _Atomic int cell[2];

#define LOAD(x) atomic_load_explicit(&(x), memory_order_relaxed)
#define STORE(x, v) atomic_store_explicit(&(x), v, memory_order_relaxed)

static int begin(void) {
  int seen;
  do
    seen = LOAD(global);
  while (seen & 1);
  return seen;
}

// Makes the transaction a writer; 0: start again.
static int write_cell(int *seen, int place, int value) {
  if (!(*seen & 1)) {
    int expected = *seen;
    if (!atomic_compare_exchange_strong(&global, &expected, expected + 1))
      return 0;
    ++*seen;
  }
  STORE(cell[place], value);
  return 1;
}

static int read_cell(int seen, int place, int *value) {
  *value = LOAD(cell[place]);
#ifdef BROKEN
  return 1;
#else
  return LOAD(global) == seen;
#endif
}

static void commit(int seen) {
  if (seen & 1) {
#ifdef PSO_FENCE
    atomic_thread_fence(memory_order_release);
#endif
    STORE(global, seen + 1);
  }
}

// Writes one cell, then reads the other.
static int write_and_read(int written, int read, int value) {
  int found;
  int seen;
  do
    seen = begin();
  while (!write_cell(&seen, written, value) || !read_cell(seen, read, &found));
  commit(seen);
  return found;
}
int w0r1(int value) { return write_and_read(0, 1, value); }
int w1r0(int value) { return write_and_read(1, 0, value); }

// Writes both cells.
void w0w1(int value) {
  int seen;
  do
    seen = begin();
  while (!write_cell(&seen, 0, value) || !write_cell(&seen, 1, value));
  commit(seen);
}

// Reads both cells.
int r0r1(void) {
  int first, second, seen;
  do
    seen = begin();
  while (!read_cell(seen, 0, &first) || !read_cell(seen, 1, &second));
  commit(seen);
  return first | second << 16;
}
