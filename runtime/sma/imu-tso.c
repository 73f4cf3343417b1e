// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Individual memory unwinding for total store order: the writes of a thread reach memory in the order in which it makes
// them. SMA_WRITES: one more than writes of a cell; SMA_CLOCK: points in time.
#include "imu.h"

static sma_unary earliest(sma_thread t) { return settled[t]; }

void sma_write(sma_cell cell, sma_value v, sma_thread t) { buffer_write(cell, v, t); }

void sma_store_fence(sma_thread t) { (void)t; }
