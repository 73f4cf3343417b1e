// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Coarse-grained memory unwinding: total store order. SMA_WRITES: clusters.
#include "coarse_buffers.h"

static _Bool is_held_back(sma_cell cell, sma_thread t, unsigned cluster) {
  (void)cell;
  return all_due[t][cluster];
}

void sma_store_fence(sma_thread t) { (void)t; }
