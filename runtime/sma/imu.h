// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Individual memory unwinding: of each cell the sequence of its writes is guessed at the beginning, and of each write
// when it reaches memory. Every thread then runs by itself with a time of its own. (Tomasco 2017, section 6.3.) For
// imu-sc, imu-tso and imu-pso.
//
// Entry 0 of a cell is its initial value, so that SMA_WRITES - 1 writes of each cell fit. Times are 1 .. SMA_CLOCK - 1
// and increase along the entries of a cell; SMA_CELLS * (SMA_WRITES - 1) + 1 points are always enough. Writes to
// different cells may reach memory at the same time: whoever is at that time sees all of them, so they can be put into
// any order. A thread is at a time s when it has seen what reached memory at s, and its next write reaches memory later
// than s; so a write is never seen by what comes before it. All writes of an atomic section reach memory at one time at
// which nobody else's do.
//
// Times and places in a sequence are unary (unary.h): how threads can take turns then follows from what is read by unit
// propagation alone. So there are at most 63 points in time and 63 writes of a cell, whatever the sizes say.
#pragma once

#include "guessed_writes.h"
#include "unary.h"

#define POINTS (SMA_CLOCK < 63 ? SMA_CLOCK : 63)
#define ENTRIES (SMA_WRITES < 64 ? SMA_WRITES : 64)
#define NEVER UNARY(POINTS)

static sma_value value[SMA_MOST_CELLS][SMA_MOST_WRITES];
static sma_unary stamp[SMA_MOST_CELLS][SMA_MOST_WRITES]; // when the write reaches memory; NEVER: there is none
static sma_unary last[SMA_MOST_CELLS];
static unsigned writes; // of all cells
// The entries whose writer is the thread. Those behind the last one are somebody's, too.
static sma_value entries_of[SMA_MOST_CELLS][SMA_MOST_THREADS];
static sma_unary own[SMA_MOST_CELLS][SMA_MOST_THREADS]; // the last write of a thread to a cell; 0: none
// The entry before its next one, which is a write only if it is not behind the last one.
static sma_unary before_next[SMA_MOST_CELLS][SMA_MOST_THREADS];
static sma_unary seen[SMA_MOST_CELLS][SMA_MOST_THREADS]; // what a thread has read last
static sma_unary now[SMA_MOST_THREADS];
static sma_unary settled[SMA_MOST_THREADS]; // when all writes of a thread so far are in memory
static sma_unary section_start[SMA_MOST_THREADS];

// What the next write of a thread comes after, because of earlier writes of the same thread: this is the memory model.
static sma_unary earliest(sma_thread t);

void sma_init(void) {
  for (sma_cell c = 0; c < SMA_CELLS; ++c) {
    last[c] = sma_nondet_unary(sma_most_writes(c) < ENTRIES ? sma_most_writes(c) + 1 : ENTRIES);
    value[c][0] = sma_initial[c];
    sma_thread previous = SMA_NONE;
    for (unsigned i = 1; i < ENTRIES; ++i) {
      _Bool used = (last[c] >> (i - 1) & 1) != 0;
      writes += used;
      // Some writer where there is no write: where one thread alone writes the cell, its next write is known at once.
      sma_thread writer = sma_writer(c, used ? sma_nondet(sma_writers(c)) : 0);
      entries_of[c][writer] |= (sma_value)1 << (i - 1);
      stamp[c][i] = used ? sma_nondet_unary(POINTS) : NEVER;
      sma_assume(!used || IS_LESS(stamp[c][i - 1], stamp[c][i]) ||
                 (stamp[c][i] == stamp[c][i - 1] && writer == previous));
      value[c][i] = used ? sma_nondet_content(c) : 0;
      previous = writer;
    }
    for (sma_thread t = 0; t < SMA_THREADS; ++t)
      before_next[c][t] = BELOW_ALL(entries_of[c][t]);
  }
}

static _Bool owes_writes(sma_thread t) {
  sma_value owed = 0;
  for (sma_cell c = 0; c < SMA_CELLS; ++c)
    owed |= last[c] & ~before_next[c][t];
  return owed != 0;
}

// The thread makes a write that was not guessed: right only if there is no room or no time for it.
static void write_does_not_fit(sma_cell cell, sma_thread t) {
  _Bool is_full = last[cell] == UNARY(ENTRIES - 1);
  _Bool is_late = POINTS <= SMA_CELLS * (ENTRIES - 1) && writes >= POINTS - 1;
  sma_assume(is_full || is_late);
  stop_at_bound(t, is_full ? SMA_BOUND_WRITES : SMA_BOUND_CLOCK);
}

// Reads the last write of the thread, which it sees even before others do, or a later one of another thread, at the
// time it reaches memory. That nothing older is read than before follows from the times, too, but takes more steps.
sma_value sma_read(sma_cell cell, sma_thread t) {
  sma_unary entry = sma_nondet_unary(ENTRIES);
  sma_unary known = own[cell][t];
  sma_assume(IS_AT_MOST(known | seen[cell][t], entry) & IS_AT_MOST(entry, last[cell] & before_next[cell][t]));
  seen[cell][t] = entry;
  sma_unary time = now[t];
  sma_unary next = NEVER; // the time of the entry behind
  sma_value result = value[cell][0];
  for (unsigned i = 1; i < ENTRIES; ++i) {
    sma_unary at = stamp[cell][i];
    time |= at & WHERE_IN(entry & ~known, i);
    next &= at | WHERE_IN(entry, i);
    result = (entry >> (i - 1) & 1) != 0 ? value[cell][i] : result;
  }
  sma_assume(IS_LESS(time, next) & (!in_section[t] | (time == now[t])));
  now[t] = time;
  return result;
}

sma_value sma_ind_read(sma_cell address, sma_thread t) { return sma_read(cell_at(address), t); }

static void buffer_write(sma_cell cell, sma_value v, sma_thread t) {
  sma_unary before = before_next[cell][t];
  if (IS_AT_MOST(last[cell], before)) {
    write_does_not_fit(cell, t);
    return;
  }
  sma_unary entry = ONE_MORE(before);
  sma_unary time = 0;
  sma_value difference = 0;
  for (unsigned i = 1; i < ENTRIES; ++i) {
    sma_value is_it = WHERE_IN(entry & ~before, i);
    time |= stamp[cell][i] & is_it;
    difference |= (value[cell][i] ^ v) & is_it;
  }
  sma_assume((difference == 0) & IS_LESS(now[t], time));
  if (in_section[t] && IS_LESS(now[t], settled[t]))
    sma_assume(time == settled[t]); // not the first write of the section
  else
    sma_assume(IS_LESS(earliest(t), time));
  own[cell][t] = entry;
  before_next[cell][t] = BELOW_ALL(entries_of[cell][t] & ~entry);
  settled[t] = LATER(settled[t], time);
}

void sma_fence(sma_thread t) {
  if (!in_section[t])
    now[t] = LATER(now[t], settled[t]);
}

sma_value sma_update_begin(sma_cell cell, sma_thread t) {
  sma_fence(t);
  sma_unary before = before_next[cell][t];
  if (IS_AT_MOST(last[cell], before)) {
    write_does_not_fit(cell, t);
    return sma_read(cell, t);
  }
  sma_value result = value[cell][0] & ~WHERE_IN(before, 1);
  for (unsigned i = 1; i < ENTRIES; ++i)
    result |= value[cell][i] & WHERE_IN(before & ~(before >> 1), i);
  return result;
}

void sma_update_end(sma_cell cell, sma_value v, sma_thread t) {
  if (stopped[t])
    return;
  buffer_write(cell, v, t);
  sma_fence(t);
}

void sma_atomic_begin(sma_thread t) {
  sma_fence(t);
  sma_unary time = sma_nondet_unary(POINTS);
  sma_assume(IS_AT_MOST(now[t], time));
  now[t] = time;
  section_start[t] = time;
  in_section[t] = 1;
}

void sma_atomic_end(sma_thread t) {
  in_section[t] = 0;
  sma_fence(t);
  for (sma_cell c = 0; c < SMA_CELLS; ++c)
    for (unsigned i = 1; i < ENTRIES; ++i)
      sma_assume((entries_of[c][t] >> (i - 1) & 1) != 0 || IS_AT_MOST(stamp[c][i], section_start[t]) ||
                 IS_LESS(now[t], stamp[c][i]));
}

void sma_create(sma_thread child, sma_thread parent) {
  created[child] = 1;
  if (parent != SMA_NONE) {
    sma_fence(parent);
    now[child] = now[parent];
  }
}

static sma_value guess_end(void) { return sma_nondet_unary(POINTS); }

void sma_join(sma_thread joined, sma_thread joiner) { now[joiner] = LATER(now[joiner], end_of(joined)); }

void sma_terminate(sma_thread t) {
  if (!stopped[t])
    sma_fence(t);
  end_thread(t, now[t]);
}

void sma_finish(void) { finish_threads(); }

// Unary, so that all after the first 32 points are alike; it is a hint.
unsigned sma_now(sma_thread t) { return (unsigned)now[t]; }
