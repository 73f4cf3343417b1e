// A memory model of one's own: every thread can hold back one write. A further write waits until the first is in memory, and so does everything that is a
// fence. Between sc and tso: store buffering is possible, but never with two writes in front of the read.
//
//   heddle verify examples/store_buffering.c --via lazy --sma examples/sma/one_entry.c
#include "sma.h"

const unsigned sma_is_asynchronous = 0;

static sma_value memory[SMA_MOST_CELLS];
static _Bool holds[SMA_MOST_THREADS];
static sma_cell held_cell[SMA_MOST_THREADS];
static sma_value held_value[SMA_MOST_THREADS];
static _Bool ended[SMA_MOST_THREADS];
static _Bool in_section;

void sma_init(void) {
  for (sma_cell c = 0; c < SMA_CELLS; ++c)
    memory[c] = sma_initial[c];
}

static void release(sma_thread t) {
  if (holds[t])
    memory[held_cell[t]] = held_value[t];
  holds[t] = 0;
  held_cell[t] = 0;
  held_value[t] = 0;
}

// Before every step any threads, in any order, may lose what they hold.
static void release_some(void) {
  if (in_section)
    return;
  for (unsigned i = 0; i < SMA_THREADS; ++i) {
    unsigned t = sma_nondet(SMA_THREADS + 1);
    if (t == SMA_THREADS)
      return;
    sma_assume(holds[t]);
    release(t);
  }
}

void sma_fence(sma_thread t) {
  release_some();
  release(t);
}

void sma_store_fence(sma_thread t) { (void)t; }

sma_value sma_read(sma_cell cell, sma_thread t) {
  release_some();
  return holds[t] && held_cell[t] == cell ? held_value[t] : memory[cell];
}

void sma_write(sma_cell cell, sma_value value, sma_thread t) {
  sma_fence(t);
  holds[t] = 1;
  held_cell[t] = cell;
  held_value[t] = value;
}

sma_value sma_update_begin(sma_cell cell, sma_thread t) {
  sma_fence(t);
  return memory[cell];
}

void sma_update_end(sma_cell cell, sma_value value, sma_thread t) {
  (void)t;
  memory[cell] = value;
}

sma_value sma_compare_exchange(sma_cell cell, sma_value expected, sma_value desired, sma_thread t) {
  sma_value old = sma_update_begin(cell, t);
  if (old == expected)
    sma_update_end(cell, desired, t);
  return old;
}

void sma_lock(sma_cell mutex, sma_thread t) {
  sma_assume(sma_update_begin(mutex, t) == 0);
  sma_update_end(mutex, (sma_value)t + 1, t);
}

void sma_unlock(sma_cell mutex, sma_thread t) {
  sma_assume(sma_update_begin(mutex, t) == (sma_value)t + 1);
  sma_update_end(mutex, 0, t);
}

void sma_atomic_begin(sma_thread t) {
  sma_fence(t);
  in_section = 1;
}

void sma_atomic_end(sma_thread t) {
  release(t);
  in_section = 0;
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

// An address is the number of a cell.
sma_cell sma_address(sma_cell cell, sma_thread t) {
  (void)t;
  return cell;
}

sma_cell sma_malloc(sma_cell first, unsigned cells, sma_thread t) {
  (void)cells, (void)t;
  return first;
}

sma_value sma_ind_read(sma_cell address, sma_thread t) { return sma_read(address, t); }
void sma_ind_write(sma_cell address, sma_value value, sma_thread t) { sma_write(address, value, t); }

unsigned sma_now(sma_thread t) {
  (void)t;
  return 0;
}
