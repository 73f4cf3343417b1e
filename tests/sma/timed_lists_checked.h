// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// The invariants of the lists of timed_lists.h, checked on the memory of the abstraction itself. Included behind etso.c
// or epso.c.
#pragma once

// The invariant of a list that does not hold, if any.
static const char* broken_list(sma_cell c) {
  if (due[c][SMA_QUEUE] != SMA_CLOCK)
    return "the sentinel is due never";
  if (due[c][0] > now)
    return "there is a head";
  for (unsigned i = 0; i < SMA_QUEUE; ++i) {
    if (due[c][i] >= SMA_CLOCK)
      return "all nodes but the sentinel are due";
    if (due[c][i] > now && due[c][i] > due[c][i + 1])
      return "times of pending writes do not decrease";
    if (due[c][i] > all_due[writer[c][i]])
      return "all writes of a thread are due when its last one is";
  }
  return 0;
}

const char* sma_broken_invariant(void);
const char* sma_broken_invariant(void) {
  for (sma_cell c = 0; c < SMA_CELLS; ++c)
    if (broken_list(c))
      return broken_list(c);
  return 0;
}
