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
#pragma once

#include "guessed_writes.h"

static sma_thread writer[SMA_MOST_CELLS][SMA_MOST_WRITES];
static sma_value value[SMA_MOST_CELLS][SMA_MOST_WRITES];
static unsigned stamp[SMA_MOST_CELLS][SMA_MOST_WRITES + 1]; // when the write reaches memory; SMA_CLOCK: never
static unsigned last[SMA_MOST_CELLS];
static unsigned writes; // of all cells
// The next entry of a cell, behind an entry, whose writer is the thread; SMA_WRITES: none.
static unsigned next_own[SMA_MOST_CELLS][SMA_MOST_WRITES][SMA_MOST_THREADS];
static unsigned own[SMA_MOST_CELLS][SMA_MOST_THREADS]; // the last write of a thread to a cell; 0: none
static unsigned now[SMA_MOST_THREADS];
static unsigned settled[SMA_MOST_THREADS]; // when all writes of a thread so far are in memory
static unsigned section_start[SMA_MOST_THREADS];

// What the next write of a thread comes after, because of earlier writes of the same thread: this is the memory model.
static unsigned earliest(sma_thread t);

void sma_init(void) {
  for (sma_cell c = 0; c < SMA_CELLS; ++c) {
    last[c] = sma_nondet(sma_most_writes(c) < SMA_WRITES ? sma_most_writes(c) + 1 : SMA_WRITES);
    writes += last[c];
    value[c][0] = sma_initial[c];
    writer[c][0] = SMA_NONE;
    for (unsigned i = 1; i < SMA_WRITES; ++i) {
      _Bool used = i <= last[c];
      // Some writer where there is no write: where one thread alone writes the cell, its next write is known at once.
      writer[c][i] = sma_writer(c, used ? sma_nondet(sma_writers(c)) : 0);
      stamp[c][i] = used ? sma_nondet(SMA_CLOCK) : SMA_CLOCK;
      sma_assume(!used || stamp[c][i] > stamp[c][i - 1] ||
                 (stamp[c][i] == stamp[c][i - 1] && writer[c][i] == writer[c][i - 1]));
      value[c][i] = used ? sma_nondet_content(c) : 0;
    }
    stamp[c][SMA_WRITES] = SMA_CLOCK;
    for (sma_thread t = 0; t < SMA_THREADS; ++t) {
      next_own[c][SMA_WRITES - 1][t] = SMA_WRITES;
      for (unsigned i = SMA_WRITES - 1; i > 0; --i)
        next_own[c][i - 1][t] = writer[c][i] == t ? i : next_own[c][i][t];
    }
  }
}

// The next entry of the thread; it is a write only if it is not behind the last one.
static unsigned next_write(sma_cell cell, sma_thread t) { return next_own[cell][own[cell][t]][t]; }

static _Bool owes_writes(sma_thread t) {
  _Bool owes = 0;
  for (sma_cell c = 0; c < SMA_CELLS; ++c)
    owes = owes || next_write(c, t) <= last[c];
  return owes;
}

// The thread makes a write that was not guessed: right only if there is no room or no time for it.
static void write_does_not_fit(sma_cell cell, sma_thread t) {
  _Bool is_full = last[cell] == SMA_WRITES - 1;
  _Bool is_late = SMA_CLOCK <= SMA_CELLS * (SMA_WRITES - 1) && writes >= SMA_CLOCK - 1;
  sma_assume(is_full || is_late);
  stop_at_bound(t, is_full ? SMA_BOUND_WRITES : SMA_BOUND_CLOCK);
}

// Reads the last write of the thread, which it sees even before others do, or a later one of another thread, at the
// time it reaches memory.
sma_value sma_read(sma_cell cell, sma_thread t) {
  unsigned i = sma_nondet(SMA_WRITES);
  sma_assume(own[cell][t] <= i && i <= last[cell] && i < next_write(cell, t));
  unsigned time = i == own[cell][t] ? now[t] : later(now[t], stamp[cell][i]);
  sma_assume(stamp[cell][i + 1] > time && (!in_section[t] || time == now[t]));
  now[t] = time;
  return value[cell][i];
}

sma_value sma_ind_read(sma_cell address, sma_thread t) { return sma_read(cell_at(address), t); }

static void buffer_write(sma_cell cell, sma_value v, sma_thread t) {
  unsigned i = next_write(cell, t);
  if (i > last[cell]) {
    write_does_not_fit(cell, t);
    return;
  }
  unsigned time = stamp[cell][i];
  sma_assume(value[cell][i] == v && time > now[t]);
  if (in_section[t] && settled[t] > now[t])
    sma_assume(time == settled[t]); // not the first write of the section
  else
    sma_assume(time > earliest(t));
  own[cell][t] = i;
  settled[t] = later(settled[t], time);
}

void sma_fence(sma_thread t) {
  if (!in_section[t])
    now[t] = later(now[t], settled[t]);
}

sma_value sma_update_begin(sma_cell cell, sma_thread t) {
  sma_fence(t);
  unsigned i = next_write(cell, t);
  if (i > last[cell]) {
    write_does_not_fit(cell, t);
    return sma_read(cell, t);
  }
  return value[cell][i - 1];
}

void sma_update_end(sma_cell cell, sma_value v, sma_thread t) {
  if (stopped[t])
    return;
  buffer_write(cell, v, t);
  sma_fence(t);
}

void sma_atomic_begin(sma_thread t) {
  sma_fence(t);
  unsigned time = sma_nondet(SMA_CLOCK);
  sma_assume(time >= now[t]);
  now[t] = time;
  section_start[t] = time;
  in_section[t] = 1;
}

void sma_atomic_end(sma_thread t) {
  in_section[t] = 0;
  sma_fence(t);
  for (sma_cell c = 0; c < SMA_CELLS; ++c)
    for (unsigned i = 1; i < SMA_WRITES; ++i)
      sma_assume(writer[c][i] == t || stamp[c][i] <= section_start[t] || stamp[c][i] > now[t]);
}

void sma_create(sma_thread child, sma_thread parent) {
  created[child] = 1;
  if (parent != SMA_NONE) {
    sma_fence(parent);
    now[child] = now[parent];
  }
}

void sma_join(sma_thread joined, sma_thread joiner) { now[joiner] = later(now[joiner], end_of(joined, SMA_CLOCK)); }

void sma_terminate(sma_thread t) {
  if (!stopped[t])
    sma_fence(t);
  end_thread(t, now[t]);
}

void sma_finish(void) { finish_threads(); }

unsigned sma_now(sma_thread t) { return now[t]; }
