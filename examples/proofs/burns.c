// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Burns' mutual exclusion of two threads, with a proof; the second one gives way. All other threads
// keep away: that is assumed of the callers, and that who releases is who has it. Each flag is
// raised before the other one is looked at, by a fence; without that of the first (UNFENCED) both get
// in under TSO. A release takes effect before it returns, by another fence. With BROKEN the second
// thread does not mind what it sees after it has raised its flag.
//
//   heddle linearizable burns.c --functions first_acquire,first_release,second_acquire,second_release
//     --invariant invariant --abstract first_acquire=abstract_acquire,...
//     --linearization-point first_acquire:42:read --linearization-point first_release:48:flush
//     --linearization-point second_acquire:62:read --linearization-point second_release:68:flush
#include <pthread.h>
#include <stdatomic.h>

extern void __VERIFIER_assume(int condition);

#define LOAD(x) atomic_load_explicit(&(x), memory_order_relaxed)
#define STORE(x, v) atomic_store_explicit(&(x), v, memory_order_relaxed)
#define FENCE() atomic_thread_fence(memory_order_seq_cst)
#ifdef UNFENCED
#define RAISED()
#else
#define RAISED() FENCE()
#endif
#ifdef BROKEN
#define LOOK(x) (LOAD(x), 0)
#else
#define LOOK(x) LOAD(x)
#endif
static _Atomic int flag1, flag2;
static pthread_t holder; // of the abstract lock; 0: nobody
#define FIRST ((pthread_t)2)
#define SECOND ((pthread_t)3)

void first_acquire(void) {
  __VERIFIER_assume(pthread_self() == FIRST);
  __VERIFIER_assume(holder != FIRST);
  STORE(flag1, 1);
  RAISED();
  while (LOAD(flag2))
    ;
}
void first_release(void) {
  __VERIFIER_assume(holder == FIRST);
  __VERIFIER_assume(pthread_self() == FIRST);
  STORE(flag1, 0);
  FENCE();
}

void second_acquire(void) {
  __VERIFIER_assume(pthread_self() == SECOND);
  __VERIFIER_assume(holder != SECOND);
  int seen;
  do {
    STORE(flag2, 0);
    while (LOAD(flag1))
      ;
    STORE(flag2, 1);
    FENCE();
    seen = LOOK(flag1);
  } while (seen);
}
void second_release(void) {
  __VERIFIER_assume(holder == SECOND);
  __VERIFIER_assume(pthread_self() == SECOND);
  STORE(flag2, 0);
  FENCE();
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
  if (holder == FIRST)
    return flag1 == 1;
  if (holder == SECOND)
    return flag2 == 1;
  return holder == 0;
}
