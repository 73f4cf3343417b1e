// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// What the thread-synchronous abstractions have in common. Calls come in the order of the steps, so it is enough to remember who has ended.
#pragma once

#include "common.h"

const unsigned sma_is_asynchronous = 0;

static _Bool ended[SMA_MOST_THREADS];

sma_value sma_ind_read(sma_cell address, sma_thread t) { return sma_read(cell_at(address), t); }

sma_value sma_compare_exchange(sma_cell cell, sma_value expected, sma_value desired, sma_thread t) {
  sma_value old = sma_update_begin(cell, t);
  if (old == expected)
    sma_update_end(cell, desired, t);
  return old;
}

void sma_create(sma_thread child, sma_thread parent) {
  (void)child;
  if (parent != SMA_NONE)
    sma_fence(parent);
}

void sma_terminate(sma_thread t) {
  sma_fence(t);
  ended[t] = 1;
}

void sma_join(sma_thread joined, sma_thread joiner) {
  (void)joiner;
  sma_assume(ended[joined]);
}

static inline void cut(unsigned bound) {
  sma_exceeded(bound);
  sma_assume(0);
}
