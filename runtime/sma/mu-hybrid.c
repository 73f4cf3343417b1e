// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Memory unwinding with explicit reads of scalars and implicit reads of all that is accessed by a computed address. (Tomasco
// 2017, section 5.3.3.) SMA_WRITES: positions, one more than writes. SMA_SCALARS: the cells 0 .. SMA_SCALARS - 1 are kept for every position.
#include "mu_links.h"

#ifndef SMA_SCALARS
#define SMA_SCALARS SMA_CELLS
#endif

static sma_value memory[SMA_MOST_WRITES][SMA_MOST_CELLS];

void sma_init(void) {
  guess_writes();
  link_writes();
  for (sma_cell c = 0; c < SMA_SCALARS; ++c) {
    memory[0][c] = sma_initial[c];
    for (unsigned i = 1; i < SMA_WRITES; ++i)
      memory[i][c] = i <= last && written[i] == c ? value[i] : memory[i - 1][c];
  }
}

static sma_value value_at(sma_cell cell, unsigned at) {
  return cell < SMA_SCALARS ? memory[at][cell] : linked_value_at(cell, at);
}

sma_value sma_read(sma_cell cell, sma_thread t) {
  if (cell >= SMA_SCALARS)
    return linked_read(cell, t);
  move(t);
  return memory[position[t]][cell];
}

sma_value sma_ind_read(sma_cell address, sma_thread t) { return linked_read(cell_at(address), t); }
