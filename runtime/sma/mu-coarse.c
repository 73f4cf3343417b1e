// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Coarse-grained memory unwinding: sequential consistency. SMA_WRITES: clusters.
#include "coarse.h"

static void drain(sma_thread t) { (void)t; }

sma_value sma_read(sma_cell cell, sma_thread t) {
  move(t);
  return in_memory(cell, t);
}

void sma_write(sma_cell cell, sma_value v, sma_thread t) {
  move(t);
  store(cell, v, t);
}

void sma_store_fence(sma_thread t) { (void)t; }
