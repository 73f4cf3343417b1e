// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// The invariants of the rings of timed_lists.h, checked on the memory of the abstraction itself. Included behind etso.c or epso.c.
#pragma once

// The invariant of a ring that does not hold, if any.
static const char* broken_ring(sma_cell c) {
  unsigned heads = 0;
  unsigned nodes = 0;
  if (due[c][SMA_QUEUE] != SMA_CLOCK)
    return "the sentinel is due never";
  for (unsigned i = 0; i <= SMA_QUEUE; ++i) {
    if (next[c][i] > SMA_QUEUE || previous[c][next[c][i]] != i)
      return "next and previous are inverse";
    if (i != SMA_QUEUE && due[c][i] >= SMA_CLOCK)
      return "all nodes but the sentinel are due";
    if (i != SMA_QUEUE && due[c][i] <= now && due[c][next[c][i]] > now)
      ++heads;
  }
  for (unsigned i = next[c][SMA_QUEUE]; i != SMA_QUEUE && nodes <= SMA_QUEUE; i = next[c][i], ++nodes)
    if (due[c][i] > due[c][next[c][i]])
      return "times do not decrease";
  if (nodes != SMA_QUEUE)
    return "one ring holds all nodes";
  return heads == 1 ? 0 : "there is one head";
}

const char* sma_broken_invariant(void);
const char* sma_broken_invariant(void) {
  for (sma_cell c = 0; c < SMA_CELLS; ++c)
    if (broken_ring(c))
      return broken_ring(c);
  for (sma_thread t = 0; t < SMA_THREADS; ++t)
    for (sma_cell c = 0; c < SMA_CELLS; ++c)
      if (own_due[c][t] > all_due[t])
        return "all writes of a thread are due when its last one is";
  return 0;
}
