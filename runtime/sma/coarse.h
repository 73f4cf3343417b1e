// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Coarse-grained memory unwinding: a run is cut into clusters, and what memory holds at the beginning of each is
// guessed. In a cluster the threads run in the order in which they are called, so that a cluster takes any number of
// writes. (Tomasco 2017, section 5.4; a cluster is checked at the end, which also allows clusters in which nobody
// writes. With threads that are called once each these are the rounds of A. Lal and T. Reps, "Reducing concurrent
// analysis under a context bound to sequential analysis", 2008.) SMA_WRITES: clusters.
//
// Which runs fit into some number of clusters depends on the order in which the threads are called; with enough
// clusters all do.
//
// A position is a row of flags: flag i says that it lies behind cluster i. A thread that has left the last cluster is
// interrupted. It may go on, but nobody sees it: what it writes goes nowhere, and what it reads means nothing.
//
// Under tso and pso a write guesses the cluster in which it reaches memory (M. F. Atig, A. Bouajjani, G. Parlato,
// "Getting rid of store-buffers in TSO analysis", 2011): it does so just before the thread's own steps in that cluster,
// which is when it is made, since none of them has been made yet.
#pragma once

#include "asynchronous.h"

const unsigned sma_is_asynchronous = 2;

static sma_value start[SMA_MOST_WRITES][SMA_MOST_CELLS];
static sma_value memory[SMA_MOST_WRITES][SMA_MOST_CELLS];
static _Bool has_writes[SMA_MOST_WRITES];
static _Bool is_past[SMA_MOST_THREADS][SMA_MOST_WRITES];

void sma_init(void) {
  for (unsigned i = 0; i < SMA_WRITES; ++i)
    for (sma_cell c = 0; c < SMA_CELLS; ++c) {
      start[i][c] = i == 0 ? sma_initial[c] : sma_nondet_content(c);
      memory[i][c] = start[i][c];
    }
}

// No single write is guessed.
static _Bool owes_writes(sma_thread t) {
  (void)t;
  return 0;
}

static _Bool is_behind_all(sma_thread t) { return is_past[t][SMA_WRITES - 1]; }

_Bool sma_stops(sma_thread t) {
  if (is_behind_all(t))
    stopped[t] = 1;
  else if (!stopped[t] && !in_section[t])
    stopped[t] = sma_nondet(2) != 0;
  return stopped[t];
}

static void move(sma_thread t) {
  if (in_section[t])
    return;
  _Bool goes_on = 1;
  for (unsigned i = 0; i < SMA_WRITES; ++i) {
    goes_on = goes_on && (is_past[t][i] || sma_nondet(2));
    is_past[t][i] = goes_on;
  }
}

static sma_value in_memory(sma_cell cell, sma_thread t) {
  sma_value value = memory[0][cell];
  for (unsigned i = 1; i < SMA_WRITES; ++i)
    if (is_past[t][i - 1])
      value = memory[i][cell];
  return value;
}

static void store_in(unsigned cluster, sma_cell cell, sma_value v) {
  memory[cluster][cell] = v;
  has_writes[cluster] = 1;
}

static void store(sma_cell cell, sma_value v, sma_thread t) {
  for (unsigned i = 0; i < SMA_WRITES; ++i)
    if ((i == 0 || is_past[t][i - 1]) && !is_past[t][i])
      store_in(i, cell, v);
}

// Writes of the thread that are not in memory yet are, and the thread is where they are: this is the memory model.
static void drain(sma_thread t);

void sma_fence(sma_thread t) { drain(t); }

sma_value sma_ind_read(sma_cell address, sma_thread t) { return sma_read(cell_at(address), t); }

sma_value sma_update_begin(sma_cell cell, sma_thread t) {
  move(t);
  drain(t);
  return in_memory(cell, t);
}

void sma_update_end(sma_cell cell, sma_value v, sma_thread t) { store(cell, v, t); }

sma_value sma_compare_exchange(sma_cell cell, sma_value expected, sma_value desired, sma_thread t) {
  sma_value old = sma_update_begin(cell, t);
  if (old == expected)
    sma_update_end(cell, desired, t);
  return old;
}

void sma_atomic_begin(sma_thread t) {
  move(t);
  drain(t);
  in_section[t] = 1;
}

void sma_atomic_end(sma_thread t) { in_section[t] = 0; }

void sma_create(sma_thread child, sma_thread parent) {
  created[child] = 1;
  if (parent == SMA_NONE)
    return;
  drain(parent);
  for (unsigned i = 0; i < SMA_WRITES; ++i)
    is_past[child][i] = is_past[parent][i];
}

static unsigned cluster_of(sma_thread t) {
  unsigned cluster = 0;
  for (unsigned i = 0; i < SMA_WRITES; ++i)
    cluster = is_past[t][i] ? i + 1 : cluster;
  return cluster;
}

static sma_value guess_end(void) { return sma_nondet(SMA_WRITES); }

// A thread that has not been run yet comes later in the same cluster, so it has to end in an earlier one.
void sma_join(sma_thread joined, sma_thread joiner) {
  _Bool comes_later = !is_over[joined];
  unsigned end = (unsigned)end_of(joined);
  unsigned earliest = comes_later ? end + 1 : end;
  for (unsigned i = 0; i < SMA_WRITES; ++i)
    is_past[joiner][i] = is_past[joiner][i] || earliest > i;
}

void sma_terminate(sma_thread t) {
  if (!stopped[t])
    drain(t);
  if (is_behind_all(t))
    stopped[t] = 1;
  end_thread(t, cluster_of(t));
}

// Could an interrupted thread go on in one more cluster? Not if two clusters without writes could be one.
static _Bool needs_more_clusters(void) {
  _Bool any = 0;
  for (sma_thread t = 0; t < SMA_THREADS; ++t)
    any = any || stopped[t];
  _Bool full = 1;
  for (unsigned i = 1; i < SMA_WRITES; ++i)
    full = full && (has_writes[i - 1] || has_writes[i]);
  return any && full;
}

void sma_finish(void) {
  for (unsigned i = 1; i < SMA_WRITES; ++i)
    for (sma_cell c = 0; c < SMA_CELLS; ++c)
      sma_assume(memory[i - 1][c] == start[i][c]);
  if (needs_more_clusters() && sma_nondet(2))
    bound_hit = SMA_BOUND_WRITES;
  finish_threads();
}

unsigned sma_now(sma_thread t) { return is_behind_all(t) ? SMA_NEVER : cluster_of(t); }
