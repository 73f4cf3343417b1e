// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// What all abstractions shipped here have in common: the address of a cell is its number, and a mutex is a word that is updated. Each
// of them defines sma_read, sma_write and sma_update_begin/end.
#pragma once

#include "sma.h"

sma_cell sma_address(sma_cell cell, sma_thread t) {
  (void)t;
  return cell;
}

sma_cell sma_malloc(sma_cell first, unsigned cells, sma_thread t) {
  (void)cells, (void)t;
  return first;
}

// Other addresses occur in runs with wrong guesses only.
static sma_cell cell_at(sma_cell address) {
  sma_assume(address < SMA_CELLS);
  return address;
}

void sma_ind_write(sma_cell address, sma_value value, sma_thread t) { sma_write(cell_at(address), value, t); }

void sma_lock(sma_cell mutex, sma_thread t) {
  sma_value holder = sma_update_begin(mutex, t);
  sma_assume(holder == 0);
  sma_update_end(mutex, (sma_value)t + 1, t);
}

void sma_unlock(sma_cell mutex, sma_thread t) {
  sma_value holder = sma_update_begin(mutex, t);
  sma_assume(holder == (sma_value)t + 1);
  sma_update_end(mutex, 0, t);
}

static inline unsigned later(unsigned a, unsigned b) { return a > b ? a : b; }
