// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// What the thread-asynchronous abstractions that guess single writes have in common.
#pragma once

#include "asynchronous.h"

const unsigned sma_is_asynchronous = 1;

_Bool sma_stops(sma_thread t) {
  if (!stopped[t] && !in_section[t])
    stopped[t] = sma_nondet(2) != 0;
  return stopped[t];
}

// Whether it succeeds is guessed, since a write must be met by one that was guessed and a read need not.
sma_value sma_compare_exchange(sma_cell cell, sma_value expected, sma_value desired, sma_thread t) {
  if (sma_nondet(2)) {
    sma_value old = sma_update_begin(cell, t);
    sma_assume(old == expected);
    sma_update_end(cell, desired, t);
    return old;
  }
  sma_fence(t);
  sma_value old = sma_read(cell, t);
  sma_assume(old != expected);
  return old;
}
