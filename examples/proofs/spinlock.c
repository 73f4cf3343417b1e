// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// A spin lock, with a proof. Who releases it is who has it: that is assumed of the callers. With
// BROKEN the test and the set are two steps.
//
//   heddle linearizable spinlock.c --functions acquire,release --invariant invariant
//     --abstract acquire=abstract_acquire,release=abstract_release
//     --linearization-point acquire:26:cas --linearization-point release:32:flush
#include <pthread.h>
#include <stdatomic.h>

extern void __VERIFIER_assume(int condition);

static _Atomic int taken;
static pthread_t holder; // of the abstract lock; 0: nobody

void acquire(void) {
#ifdef BROKEN
  while (atomic_load_explicit(&taken, memory_order_relaxed))
    ;
#define TAKE() (atomic_exchange(&taken, 1), 0)
#else
#define TAKE() atomic_exchange(&taken, 1)
#endif
  while (TAKE())
    ;
}

void release(void) {
  __VERIFIER_assume(holder == pthread_self());
  atomic_store_explicit(&taken, 0, memory_order_release);
#ifdef FENCE
  atomic_thread_fence(memory_order_seq_cst);
#endif
}

void abstract_acquire(void) {
  __VERIFIER_assume(holder == 0);
  holder = pthread_self();
}
void abstract_release(void) {
  __VERIFIER_assume(holder == pthread_self());
  holder = 0;
}

_Bool invariant(void) { return taken == (holder != 0); }
