// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Coarse-grained memory unwinding: partial store order. SMA_WRITES: clusters.
#include "coarse_buffers.h"

static _Bool fenced[SMA_MOST_THREADS][SMA_MOST_WRITES]; // what later writes come after

static _Bool is_held_back(sma_cell cell, sma_thread t, unsigned cluster) {
  return own_due[t][cell][cluster] || fenced[t][cluster];
}

void sma_store_fence(sma_thread t) {
  for (unsigned i = 0; i < SMA_WRITES; ++i)
    fenced[t][i] = all_due[t][i];
}
