// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Partial store order on timed lists. SMA_QUEUE: nodes per cell; SMA_CLOCK: points in time.
#include "timed_lists.h"

static unsigned fenced[SMA_MOST_THREADS]; // when all writes before the last store fence are in memory

static unsigned earliest(sma_cell cell, sma_thread t) {
  unsigned time = fenced[t];
  for (unsigned i = 1; i < SMA_QUEUE; ++i)
    if (writer[cell][i] == t)
      time = later(time, due[cell][i]);
  return time;
}

void sma_store_fence(sma_thread t) { fenced[t] = all_due[t]; }
