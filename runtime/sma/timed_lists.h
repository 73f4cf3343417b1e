// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Store buffers without buffers, for etso and epso: when a write is issued, the time at which it will reach memory is
// guessed. Of each cell there is one list of writes in the order of these times; the last one that is due is what
// memory holds. Letting time pass flushes all writes that come due, at no cost. (Tomasco 2017, sections 4.2.3 to 4.4.)
//
// The thesis has rings of linked nodes, of which the one that has been free for longest is taken for the next write.
// Here the nodes lie in the order of the list, and a write moves the others: for so few nodes as lists have, that costs
// less in a formula than links do, whose ends are chosen at run time, and with one point in time, or two nodes, all
// places are constants. What lists can hold is the same: SMA_QUEUE nodes; those that are due, of which the last is the
// head, and writes that are pending. A write takes the place of the first node, which must not be the head. So at most
// SMA_QUEUE - 1 writes of a cell are pending, and they are due at 1 .. SMA_CLOCK - 1; what is written at once is due
// at 0. Behind the last node is a sentinel that is due never, at SMA_CLOCK.
//
// The thesis lets any time pass before every operation. Here no more passes than makes a difference to the operation:
// until a pending write of its cell is due. What has not passed yet can pass when somebody looks.
#pragma once

#include "synchronous.h"

static unsigned now;
static sma_value value[SMA_MOST_CELLS][SMA_MOST_QUEUE];
static sma_thread writer[SMA_MOST_CELLS][SMA_MOST_QUEUE];
static unsigned due[SMA_MOST_CELLS][SMA_MOST_QUEUE + 1];
static unsigned all_due[SMA_MOST_THREADS]; // when all writes of a thread are in memory
static unsigned delayed; // writes that were not due at once; each needs at most one point in time for itself
static _Bool in_section; // time stands still

// The earliest time at which a write can reach memory because of earlier writes of the same thread: this is the memory
// model.
static unsigned earliest(sma_cell cell, sma_thread t);

void sma_init(void) {
  for (sma_cell c = 0; c < SMA_CELLS; ++c) {
    for (unsigned i = 0; i < SMA_QUEUE; ++i)
      value[c][i] = sma_initial[c];
    due[c][SMA_QUEUE] = SMA_CLOCK;
  }
}

// Pending writes of the cell may reach memory, and with them all that are due by then.
static void let_time_pass(sma_cell cell) {
  if (in_section)
    return;
  for (unsigned i = 1; i < SMA_QUEUE; ++i)
    if (due[cell][i] > now && sma_nondet(2))
      now = due[cell][i];
}

static sma_value in_memory(sma_cell cell) {
  sma_value seen = value[cell][0];
  for (unsigned i = 1; i < SMA_QUEUE; ++i)
    if (due[cell][i] <= now)
      seen = value[cell][i];
  return seen;
}

// In front of the nodes that are due later, behind all that are due at the same time or by now, so that nothing
// overtakes a write that came first.
static void insert(sma_cell cell, sma_value written, unsigned time, sma_thread t) {
  if (due[cell][1] > now)
    cut(SMA_BOUND_QUEUE); // the first node is the head
  _Bool is_placed = 0;
  for (unsigned i = 0; i < SMA_QUEUE; ++i)
    if (i + 1 < SMA_QUEUE && (i == 0 || due[cell][i + 1] <= now || due[cell][i + 1] <= time)) {
      value[cell][i] = value[cell][i + 1];
      writer[cell][i] = writer[cell][i + 1];
      due[cell][i] = due[cell][i + 1];
    } else if (!is_placed) {
      value[cell][i] = written;
      writer[cell][i] = t;
      due[cell][i] = time;
      is_placed = 1;
    }
}

// What the thread has written and is pending lies behind the head, the latest write last.
sma_value sma_read(sma_cell cell, sma_thread t) {
  let_time_pass(cell);
  sma_value seen = value[cell][0];
  for (unsigned i = 1; i < SMA_QUEUE; ++i)
    if (due[cell][i] <= now || writer[cell][i] == t)
      seen = value[cell][i];
  return seen;
}

void sma_write(sma_cell cell, sma_value written, sma_thread t) {
  let_time_pass(cell);
  unsigned time = 0;
  if (!in_section) {
    // The clock may be too short for the times at which more delayed writes than it has points reach memory.
    if (sma_nondet(2)) {
      sma_assume(delayed + 1 >= SMA_CLOCK);
      cut(SMA_BOUND_CLOCK);
    }
    time = sma_nondet(SMA_CLOCK);
    if (time != 0) {
      sma_assume(time > now && time >= earliest(cell, t));
      ++delayed;
      all_due[t] = later(all_due[t], time);
    } else {
      sma_assume(earliest(cell, t) <= now);
    }
  }
  insert(cell, written, time, t);
}

void sma_fence(sma_thread t) { now = later(now, all_due[t]); }

sma_value sma_update_begin(sma_cell cell, sma_thread t) {
  sma_fence(t);
  let_time_pass(cell);
  return in_memory(cell);
}

void sma_update_end(sma_cell cell, sma_value written, sma_thread t) { insert(cell, written, 0, t); }

void sma_atomic_begin(sma_thread t) {
  sma_fence(t);
  unsigned time = sma_nondet(SMA_CLOCK); // the section may look at any cell
  sma_assume(time >= now);
  now = time;
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
