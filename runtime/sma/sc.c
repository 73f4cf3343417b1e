// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Sequential consistency: one memory, every access takes effect at once.
#include "synchronous.h"

static sma_value memory[SMA_MOST_CELLS];

void sma_init(void) {
  for (sma_cell c = 0; c < SMA_CELLS; ++c)
    memory[c] = sma_initial[c];
}

sma_value sma_read(sma_cell cell, sma_thread t) {
  (void)t;
  return memory[cell];
}

void sma_write(sma_cell cell, sma_value value, sma_thread t) {
  (void)t;
  memory[cell] = value;
}

sma_value sma_update_begin(sma_cell cell, sma_thread t) { return sma_read(cell, t); }
void sma_update_end(sma_cell cell, sma_value value, sma_thread t) { sma_write(cell, value, t); }

void sma_fence(sma_thread t) { (void)t; }
void sma_store_fence(sma_thread t) { (void)t; }
void sma_atomic_begin(sma_thread t) { (void)t; }
void sma_atomic_end(sma_thread t) { (void)t; }

unsigned sma_now(sma_thread t) {
  (void)t;
  return 0;
}
