// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Coarse-grained memory unwinding with writes that reach memory later than they are made: for mu-coarse-tso and
// mu-coarse-pso.
#pragma once

#include "coarse.h"

static sma_value own_value[SMA_MOST_THREADS][SMA_MOST_CELLS]; // the last write of each thread to each cell
static _Bool own_due[SMA_MOST_THREADS][SMA_MOST_CELLS][SMA_MOST_WRITES];
static _Bool all_due[SMA_MOST_THREADS][SMA_MOST_WRITES]; // when all writes of a thread are in memory

// Does an earlier write of the same thread keep a write to the cell from reaching memory in that cluster? This is the
// memory model.
static _Bool is_held_back(sma_cell cell, sma_thread t, unsigned cluster);

static void drain(sma_thread t) {
  for (unsigned i = 0; i < SMA_WRITES; ++i)
    is_past[t][i] = is_past[t][i] || all_due[t][i];
}

// Is the thread's last write to the cell still on its way?
static _Bool is_pending(sma_cell cell, sma_thread t) {
  _Bool pending = 0;
  for (unsigned i = 0; i < SMA_WRITES; ++i)
    pending = pending || (own_due[t][cell][i] && !is_past[t][i]);
  return pending;
}

sma_value sma_read(sma_cell cell, sma_thread t) {
  move(t);
  return is_pending(cell, t) ? own_value[t][cell] : in_memory(cell, t);
}

void sma_write(sma_cell cell, sma_value v, sma_thread t) {
  move(t);
  own_value[t][cell] = v;
  _Bool goes_on = 1;
  for (unsigned i = 0; i < SMA_WRITES; ++i) {
    _Bool comes_so_far = goes_on;
    _Bool must = is_past[t][i] || is_held_back(cell, t, i);
    goes_on = goes_on && (must || (!in_section[t] && sma_nondet(2)));
    if (comes_so_far && !goes_on)
      store_in(i, cell, v);
    own_due[t][cell][i] = goes_on;
    all_due[t][i] = all_due[t][i] || goes_on;
  }
}
