// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Memory unwinding with explicit reads: memory as it is at every position is computed beforehand. Good for few cells.
// SMA_WRITES: positions, one more than writes.
#include "mu.h"

static sma_value memory[SMA_MOST_WRITES][SMA_MOST_CELLS];

void sma_init(void) {
  guess_writes();
  for (sma_cell c = 0; c < SMA_CELLS; ++c) {
    memory[0][c] = sma_initial[c];
    for (unsigned i = 1; i < SMA_WRITES; ++i)
      memory[i][c] = i <= last && written[i] == c ? value[i] : memory[i - 1][c];
  }
}

static sma_value value_at(sma_cell cell, unsigned at) { return memory[at][cell]; }

sma_value sma_read(sma_cell cell, sma_thread t) {
  move(t);
  return memory[position[t]][cell];
}

sma_value sma_ind_read(sma_cell address, sma_thread t) { return sma_read(cell_at(address), t); }
