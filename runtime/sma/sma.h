// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// The contract of a shared-memory abstraction: a memory model as one C file behind a handful of operations. A transform
// turns a concurrent program into a sequential one in which every access of shared memory, fence, lock, creation, join
// and end of a thread is a call of one of these; what the calls mean is up to the file that implements them. See
// docs/shared-memory-abstractions.md for how to write one. (E. Tomasco, "Separating computation from communication",
// PhD thesis, Southampton 2017, chapter 3.)
//
// What is not for here: which thread runs when, and for how long. That is the transform's.
#pragma once

// ---- Sizes, given as macros by whoever compiles an abstraction. Each is an expression; those that dimension arrays
// (SMA_MOST_*) are constant expressions, by default the same. A generated text for builds without a compiler is made
// once, with arrays that are large enough and with sizes that are read from constants set later.
extern const unsigned sma_threads, sma_cells, sma_writes, sma_queue, sma_clock;

#ifndef SMA_MOST_THREADS
#define SMA_MOST_THREADS SMA_THREADS // threads, main included
#endif
#ifndef SMA_MOST_CELLS
#define SMA_MOST_CELLS SMA_CELLS // cells of shared memory
#endif
#ifndef SMA_MOST_WRITES
#define SMA_MOST_WRITES SMA_WRITES // asynchronous: writes + 1, in all (mu*) or of each cell (imu-*); clusters (mu-coarse)
#endif
#ifndef SMA_MOST_QUEUE
#define SMA_MOST_QUEUE SMA_QUEUE // synchronous: entries of a buffer (tso, pso), nodes of a cell's list (etso, epso)
#endif
#ifndef SMA_MOST_CLOCK
#define SMA_MOST_CLOCK SMA_CLOCK // points in time (etso, epso, imu-*); with 1, etso and epso are sc
#endif

// ---- Types

// One scalar of shared memory each, 0 .. SMA_CELLS - 1. Words of mutexes and the like are cells, too.
typedef unsigned sma_cell;
typedef unsigned sma_thread;          // 0 .. SMA_THREADS - 1; 0 is main
typedef unsigned long long sma_value; // a scalar, zero-extended

#define SMA_NONE (~0u) // no thread: the parent of main

// ---- What an abstraction is given

// Of every cell, what it holds at the beginning. Filled before sma_init; never changed afterwards.
extern sma_value sma_initial[SMA_MOST_CELLS];

unsigned sma_nondet(unsigned limit); // any of 0 .. limit - 1; the limit is at least 1
// The same in unary: a word of which that many of the lowest bits are set. The limit is at most 64.
sma_value sma_nondet_unary(unsigned limit);
sma_value sma_nondet_value(void); // any value
// Any value that the cell holds at some time in some run, and perhaps others. For guesses that are checked later.
sma_value sma_nondet_content(sma_cell cell);
// Of every cell, the number of threads that may write it, and which these are (k = 0 .. sma_writers(cell) - 1; 0 for
// any other k). No run writes it more often than sma_most_writes says. Constants, for guesses of writes.
unsigned sma_writers(sma_cell cell);
sma_thread sma_writer(sma_cell cell, unsigned k);
unsigned sma_most_writes(sma_cell cell);
void sma_assume(_Bool condition);    // discards the run when the condition is false

// A run of the program could not be followed because of a bound; the verdict then names the bound. The run ends here.
// It must be called for at least one run whenever a bound hides a behaviour of the model (otherwise a "proved" would be
// wrong), and for no run that the program does not have: a synchronous abstraction calls it on the spot, an
// asynchronous one, whose guesses may still turn out to be wrong, stops the thread, remembers the bound and calls it at
// the end of sma_finish.
void sma_exceeded(unsigned bound);
#define SMA_BOUND_WRITES 1u
#define SMA_BOUND_QUEUE 2u
#define SMA_BOUND_CLOCK 3u
#define SMA_BOUND_CELLS 4u

// ---- What an abstraction defines
//
// Rules for all of them:
// - An operation is one step of thread `t`, and nothing else happens during it. A thread that would have to wait
//   discards the run (sma_assume): in another run it comes later. So deadlocks are not seen.
// - sma_lock, sma_unlock, sma_create, sma_terminate, sma_compare_exchange, sma_update_begin, sma_atomic_begin and
//   sma_atomic_end first make all earlier writes of the caller visible to everybody; so does sma_fence, and that is all
//   it does.
// - No libc, no pointers into the caller, no recursion; loops end after at most as many turns as a size says. All state
//   is in static variables, zero at the beginning. The operations are inlined at every access: keep them small.

// 0: thread-synchronous. The calls come in the order in which the steps of the threads happen; what a call returns may
//    depend on all calls before.
// 1: thread-asynchronous. Every thread is run once, alone, from its creation to its end or to where it is interrupted,
//    and the threads in any order in which sma_create(child, …) comes before the operations of the child. (A thread
//    may be left at any operation, so that another one is run, and gone on with later.) What other threads do is
//    guessed in sma_init and checked as the threads run; runs with wrong guesses are discarded.
// 2: thread-asynchronous and coarse. What operations of an interrupted thread do has no effect on others, and nothing
//    that it reads matters; so sma_stops need not be asked before reads, writes, updates and fences, and these may
//    interrupt the thread by themselves. Operations with equal sma_now happen in the order of the calls.
extern const unsigned sma_is_asynchronous;

// The first call, once. Then sma_create(0, SMA_NONE) starts main.
void sma_init(void);

// The address of a cell, for sma_ind_read and sma_ind_write. Addresses of the cells of one object are consecutive:
// address of cell c + i = address of c, plus i. No address is 0xffffffff.
sma_cell sma_address(sma_cell cell, sma_thread t);
// The thread allocates an object of `cells` cells, for which cells from `first` on are set aside (each of them is used
// by one allocation of a run only). The address of its first cell.
sma_cell sma_malloc(sma_cell first, unsigned cells, sma_thread t);

sma_value sma_read(sma_cell cell, sma_thread t);
void sma_write(sma_cell cell, sma_value value, sma_thread t);
// The same for a cell that is known at run time only. In a run that is discarded later (wrong guesses) the address may
// be anything; otherwise it is one of a cell.
sma_value sma_ind_read(sma_cell address, sma_thread t);
void sma_ind_write(sma_cell address, sma_value value, sma_thread t);

// A mutex is a cell: 0 when it is free, t + 1 when thread t holds it. sma_lock waits until it is free; sma_unlock is
// called by the holder (a call by another thread discards the run: the transform asserts what it has to before).
void sma_lock(sma_cell mutex, sma_thread t);
void sma_unlock(sma_cell mutex, sma_thread t);

// Earlier writes of t become visible to all before t goes on.
void sma_fence(sma_thread t);
// Earlier writes of t become visible no later than later writes of t; t need not wait.
void sma_store_fence(sma_thread t);

// Thread `child` begins. It sees all that `parent` has written or seen so far. Every thread is created at most once.
void sma_create(sma_thread child, sma_thread parent);
// Waits until `joined` has ended. The joiner sees all that it has written.
void sma_join(sma_thread joined, sma_thread joiner);
// The last call of every thread that was created. Asynchronous: also of a thread that was interrupted, which then
// counts as not ended, and nobody joins it.
void sma_terminate(sma_thread t);

// Writes `desired` if the cell holds `expected`, in one step. What the cell held.
sma_value sma_compare_exchange(sma_cell cell, sma_value expected, sma_value desired, sma_thread t);
// Any other read-modify-write: begin returns what the cell holds, end writes. Both are called directly one after the
// other, with only local computation between, so that nobody else writes the cell between them.
sma_value sma_update_begin(sma_cell cell, sma_thread t);
void sma_update_end(sma_cell cell, sma_value value, sma_thread t);

// Between the two no write of another thread becomes visible, and nobody sees the writes of the section before it is
// over: it is one step. Used for atomic sections and for all synchronisation that
// is more than a mutex (on its words). Not nested; only sma_read, sma_write, sma_ind_*, sma_address, sma_malloc,
// sma_compare_exchange, sma_update_* and fences are called between. A synchronous abstraction is called by no other
// thread between.
void sma_atomic_begin(sma_thread t);
void sma_atomic_end(sma_thread t);

// A hint for showing a run in the order in which it happened: where thread t is in time after its last operation
// (position, stamp, clock). Of two operations the one with the smaller number probably came first; at equal numbers
// writes come before reads. 0 when the order of the calls says it all. SMA_NEVER: the thread was interrupted before it
// (coarse ones only).
#define SMA_NEVER (~0u)
unsigned sma_now(sma_thread t);

// ---- Asynchronous only

// Is thread t interrupted here? Once yes, always yes; between sma_atomic_begin and sma_atomic_end only if a bound stops
// it. Asked before every operation but reads, fences and sma_update_end, and before every assumption and assertion of
// the thread; after a yes only sma_terminate is called for it. (A read or a fence that cannot be made because of a bound
// interrupts the thread, and whatever it returns does not matter.) A thread that is interrupted stands for one that gets no further: one that waits for
// ever or is still running when another thread fails.
_Bool sma_stops(sma_thread t);

// After all threads: discards the run unless every guess was right. Whatever the threads found out, such as a failed
// assertion, counts only after this call has returned.
void sma_finish(void);
