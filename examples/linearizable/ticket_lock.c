// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// A ticket lock. Only the holder writes `serving`, so a plain store is enough. With BROKEN tickets
// are drawn in two steps, and two threads may get the same one.
//
//   heddle linearizable ticket_lock.c --object lock --functions acquire,release
#include <stdatomic.h>

static _Atomic unsigned char next, serving;

void acquire(void) {
#ifdef BROKEN
  unsigned char mine = atomic_load_explicit(&next, memory_order_relaxed);
  atomic_store(&next, (unsigned char)(mine + 1));
#else
  unsigned char mine = atomic_fetch_add(&next, 1);
#endif
  while (atomic_load_explicit(&serving, memory_order_acquire) != mine)
    ;
}

void release(void) {
  unsigned char now = atomic_load_explicit(&serving, memory_order_relaxed);
  atomic_store_explicit(&serving, (unsigned char)(now + 1), memory_order_release);
}
