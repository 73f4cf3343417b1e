// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// A ticket lock, with a proof. `drawn_by` is an auxiliary variable: who drew a ticket; it is written
// in the step that draws it. There are eight places to wait. What a waiting thread knows, that its
// ticket is still to be served, is asserted where it waits. With WEAK it is not, and the proof does
// not go through; with BROKEN a ticket is drawn in two steps.
//
//   heddle linearizable ticket_lock.c --functions acquire,release --invariant invariant
//     --abstract acquire=abstract_acquire,release=abstract_release
//     --linearization-point acquire:42:read --linearization-point release:50:flush
#include <assert.h>
#include <pthread.h>

extern void __VERIFIER_assume(int condition);
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);

#define PLACES 8U
static volatile unsigned next, serving;
static pthread_t drawn_by[PLACES];
static pthread_t holder; // of the abstract lock; 0: nobody

void acquire(void) {
  __VERIFIER_atomic_begin();
  __VERIFIER_assume(holder != pthread_self());
  __VERIFIER_assume(next - serving < PLACES);
  unsigned mine = next;
#ifdef BROKEN
  __VERIFIER_atomic_end();
  __VERIFIER_atomic_begin();
#endif
  next = mine + 1;
  drawn_by[mine % PLACES] = pthread_self();
  __VERIFIER_atomic_end();
  unsigned now;
  do {
    __VERIFIER_atomic_begin();
#ifndef WEAK
    assert(mine - serving < next - serving);
#endif
    now = serving;
    __VERIFIER_atomic_end();
  } while (now != mine);
}

void release(void) {
  __VERIFIER_assume(holder == pthread_self());
  unsigned now = serving;
  serving = now + 1;
}

void abstract_acquire(void) {
  __VERIFIER_assume(holder == 0);
  holder = pthread_self();
}
void abstract_release(void) {
  __VERIFIER_assume(holder == pthread_self());
  holder = 0;
}

_Bool invariant(void) {
  if (next - serving > PLACES)
    return 0;
  return holder == 0 || (next != serving && drawn_by[serving % PLACES] == holder);
}
