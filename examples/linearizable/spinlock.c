// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// A spin lock with test-and-set, and with try_acquire. The release is a plain store that may be
// delayed, so that under TSO another thread can fail to take a lock whose release has returned: not
// linearizable as an object of its own there (unless FENCE), although mutual exclusion holds. With
// BROKEN the test and the set are two steps.
//
//   heddle linearizable spinlock.c --object lock --functions acquire,try_acquire,release
#include <stdatomic.h>

static _Atomic int taken;

int try_acquire(void) {
#ifdef BROKEN
  if (atomic_load_explicit(&taken, memory_order_relaxed))
    return 0;
  atomic_store(&taken, 1);
  return 1;
#else
  return !atomic_exchange(&taken, 1);
#endif
}

void acquire(void) {
  while (!try_acquire())
    ;
}

void release(void) {
  atomic_store_explicit(&taken, 0, memory_order_release);
#ifdef FENCE
  atomic_thread_fence(memory_order_seq_cst);
#endif
}
