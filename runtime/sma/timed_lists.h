// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Store buffers without buffers, for etso and epso: when a write is issued, the time at which it will reach memory is guessed. Of each
// cell there is one list of writes in the order of these times; the last one that is due is what memory holds. Letting time pass flushes
// all writes that come due, at no cost, and every operation takes a constant number of steps. (Tomasco 2017, sections 4.2.3 to
// 4.4: timestamped circular doubly linked lists.)
//
// A list is a ring of SMA_QUEUE nodes and a sentinel, number SMA_QUEUE, which is due never (at SMA_CLOCK). Beginning behind the sentinel:
// nodes that are free, the head (the last node that is due), writes that are pending. Times never decrease on the way. So at most
// SMA_QUEUE - 1 writes of a cell are pending, and writes are due at 0 .. SMA_CLOCK - 1.
#pragma once

#include "synchronous.h"

static unsigned now;
static sma_value value[SMA_MOST_CELLS][SMA_MOST_QUEUE];
static unsigned due[SMA_MOST_CELLS][SMA_MOST_QUEUE + 1];
static unsigned next[SMA_MOST_CELLS][SMA_MOST_QUEUE + 1];
static unsigned previous[SMA_MOST_CELLS][SMA_MOST_QUEUE + 1];
static sma_value own_value[SMA_MOST_CELLS][SMA_MOST_THREADS];  // the last write of each thread to each cell
static unsigned own_due[SMA_MOST_CELLS][SMA_MOST_THREADS];
static unsigned all_due[SMA_MOST_THREADS];  // when all writes of a thread are in memory
static unsigned delayed;  // writes that were not due at once; each needs at most one point in time for itself
static _Bool in_section;  // time stands still

// The earliest time at which a write can reach memory because of earlier writes of the same thread: this is the memory model.
static unsigned earliest(sma_cell cell, sma_thread t);

void sma_init(void) {
  for (sma_cell c = 0; c < SMA_CELLS; ++c) {
    for (unsigned i = 0; i < SMA_QUEUE; ++i) {
      value[c][i] = sma_initial[c];
      next[c][i] = i + 1;
      previous[c][i + 1] = i;
    }
    next[c][SMA_QUEUE] = 0;
    previous[c][0] = SMA_QUEUE;
    due[c][SMA_QUEUE] = SMA_CLOCK;
  }
}

static void let_time_pass(void) {
  if (in_section)
    return;
  unsigned time = sma_nondet(SMA_CLOCK);
  sma_assume(time >= now);
  now = time;
}

static sma_value in_memory(sma_cell cell) {
  unsigned node = sma_nondet(SMA_QUEUE);
  sma_assume(due[cell][node] <= now && due[cell][next[cell][node]] > now);
  return value[cell][node];
}

// Takes the node that has been free for longest and links it in front of one that is still pending (or the sentinel), behind all that are due
// at the same time, so that nothing overtakes a write that came first.
static void insert(sma_cell cell, sma_value written, unsigned time, sma_thread t) {
  unsigned node = next[cell][SMA_QUEUE];
  unsigned first = next[cell][node];
  if (due[cell][first] > now)
    cut(SMA_BOUND_QUEUE);  // the node is the head
  next[cell][SMA_QUEUE] = first;
  previous[cell][first] = SMA_QUEUE;
  unsigned behind = sma_nondet(SMA_QUEUE + 1);
  sma_assume(due[cell][behind] > time);
  unsigned before = previous[cell][behind];
  sma_assume(due[cell][before] <= time);
  value[cell][node] = written;
  due[cell][node] = time;
  next[cell][node] = behind;
  previous[cell][node] = before;
  next[cell][before] = node;
  previous[cell][behind] = node;
  own_value[cell][t] = written;
  own_due[cell][t] = time;
  all_due[t] = later(all_due[t], time);
}

sma_value sma_read(sma_cell cell, sma_thread t) {
  let_time_pass();
  return own_due[cell][t] > now ? own_value[cell][t] : in_memory(cell);
}

void sma_write(sma_cell cell, sma_value written, sma_thread t) {
  let_time_pass();
  unsigned time = now;
  if (!in_section) {
    time = sma_nondet(SMA_CLOCK + 1);
    sma_assume(time >= now && time >= earliest(cell, t));
    if (time > now)
      ++delayed;
    // The clock may be too short for the times at which more delayed writes than it has points reach memory.
    if (time == SMA_CLOCK) {
      sma_assume(delayed >= SMA_CLOCK);
      cut(SMA_BOUND_CLOCK);
    }
  }
  insert(cell, written, time, t);
}

void sma_fence(sma_thread t) {
  let_time_pass();
  now = later(now, all_due[t]);
}

sma_value sma_update_begin(sma_cell cell, sma_thread t) {
  sma_fence(t);
  return in_memory(cell);
}

void sma_update_end(sma_cell cell, sma_value written, sma_thread t) { insert(cell, written, now, t); }

void sma_atomic_begin(sma_thread t) {
  sma_fence(t);
  in_section = 1;
}

void sma_atomic_end(sma_thread t) {
  (void)t;
  in_section = 0;
}

unsigned sma_now(sma_thread t) {
  (void)t;
  return now;
}
