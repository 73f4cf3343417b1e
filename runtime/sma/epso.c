// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Partial store order on timed lists. SMA_QUEUE: nodes per cell; SMA_CLOCK: points in time.
#include "timed_lists.h"

static unsigned fenced[SMA_MOST_THREADS];  // when all writes before the last store fence are in memory

static unsigned earliest(sma_cell cell, sma_thread t) { return later(own_due[cell][t], fenced[t]); }

void sma_store_fence(sma_thread t) { fenced[t] = all_due[t]; }
