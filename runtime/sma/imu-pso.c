// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Individual memory unwinding for partial store order: only writes to the same cell, and those with a store fence
// between, reach memory in the order in which a thread makes them. SMA_WRITES: one more than writes of a cell;
// SMA_CLOCK: points in time.
#include "imu.h"

static sma_unary fenced[SMA_MOST_THREADS]; // when all writes before the last store fence are in memory

static sma_unary earliest(sma_thread t) { return fenced[t]; }

void sma_write(sma_cell cell, sma_value v, sma_thread t) { buffer_write(cell, v, t); }

void sma_store_fence(sma_thread t) { fenced[t] = settled[t]; }
