// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// How memory unwinding finds a value without a copy of memory per position: each write knows the next one to the same cell. The cost
// does not depend on the number of cells. (Tomasco 2017, section 5.3.2.)
#pragma once

#include "mu.h"

static unsigned next_same[SMA_MOST_WRITES];   // the next write to the same cell; SMA_WRITES: none
static unsigned first_write[SMA_MOST_CELLS];  // of each cell; SMA_WRITES: none
static unsigned outside[SMA_MOST_WRITES];     // the first position from here on that is not inside an atomic section

static void link_writes(void) {
  for (sma_cell c = 0; c < SMA_CELLS; ++c)
    first_write[c] = SMA_WRITES;
  for (unsigned i = SMA_WRITES - 1; i > 0; --i)
    if (i <= last) {
      next_same[i] = first_write[written[i]];
      first_write[written[i]] = i;
      outside[i] = is_inside[i] ? outside[i + 1] : i;
    }
}

// A write of the cell that is the last one at some position from `from` on; 0: the initial value.
static unsigned visible_write(sma_cell cell, unsigned from) {
  unsigned i = sma_nondet(SMA_WRITES);
  if (i == 0)
    sma_assume(first_write[cell] > from);
  else
    sma_assume(i <= last && written[i] == cell && next_same[i] > from);
  return i;
}

static sma_value value_of(sma_cell cell, unsigned write) { return write == 0 ? sma_initial[cell] : value[write]; }

static sma_value linked_value_at(sma_cell cell, unsigned at) {
  unsigned i = visible_write(cell, at);
  sma_assume(i <= at);
  return value_of(cell, i);
}

// The thread moves no further than to the write it reads, or to the end of the section in which that is.
static sma_value linked_read(sma_cell cell, sma_thread t) {
  unsigned i = visible_write(cell, position[t]);
  if (i > position[t]) {
    unsigned to = outside[i];
    sma_assume(!in_section[t] && to < next_write(t) && next_same[i] > to);
    position[t] = to;
  }
  return value_of(cell, i);
}
