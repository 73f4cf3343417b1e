// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// What the thread-asynchronous abstractions have in common: which thread was created, interrupted, has ended and when.
// Time is whatever the abstraction counts: positions in a sequence of writes, stamps, clusters.
#pragma once

#include "common.h"

static _Bool created[SMA_MOST_THREADS];
static _Bool stopped[SMA_MOST_THREADS]; // interrupted, by choice or by a bound
static _Bool is_over[SMA_MOST_THREADS]; // sma_terminate was called
static _Bool in_section[SMA_MOST_THREADS];
static _Bool end_known[SMA_MOST_THREADS]; // the thread has ended, or somebody who joined it has guessed when
static sma_value end_time[SMA_MOST_THREADS];
static unsigned bound_hit;

// Are there guessed writes of the thread that it has not made? Each abstraction defines it.
static _Bool owes_writes(sma_thread t);
// When a thread may end that has not been run yet. Each abstraction defines it.
static sma_value guess_end(void);

static inline void stop_at_bound(sma_thread t, unsigned bound) {
  stopped[t] = 1;
  bound_hit = bound;
}

// When a thread that is joined ends: known if it has been run before, otherwise guessed.
static sma_value end_of(sma_thread t) {
  if (!end_known[t]) {
    sma_assume(!is_over[t]);
    end_time[t] = guess_end();
    end_known[t] = 1;
  }
  return end_time[t];
}

static void end_thread(sma_thread t, sma_value time) {
  sma_assume(!owes_writes(t));
  is_over[t] = 1;
  if (stopped[t]) {
    sma_assume(!end_known[t]);
    return;
  }
  sma_assume(!end_known[t] || end_time[t] == time);
  end_known[t] = 1;
  end_time[t] = time;
}

static void finish_threads(void) {
  for (sma_thread t = 0; t < SMA_THREADS; ++t)
    if (!created[t])
      sma_assume(!end_known[t] && !owes_writes(t));
  if (bound_hit != 0) {
    sma_exceeded(bound_hit);
    sma_assume(0);
  }
}
