// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Memory unwinding with implicit reads: a read guesses the write it reads from. Good for many cells.
// SMA_WRITES: positions, one more than writes.
#include "mu_links.h"

void sma_init(void) {
  guess_writes();
  link_writes();
}

static sma_value value_at(sma_cell cell, unsigned at) { return linked_value_at(cell, at); }

sma_value sma_read(sma_cell cell, sma_thread t) { return linked_read(cell, t); }

sma_value sma_ind_read(sma_cell address, sma_thread t) { return linked_read(cell_at(address), t); }
