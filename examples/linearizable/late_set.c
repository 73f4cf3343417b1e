// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// A set of keys to which one thread adds. The store of an addition may be delayed past its return, which
// says that the key was added, and another thread does not find it then: not linearizable under TSO,
// nor TSO-to-TSO linearizable, since an operation that returns something takes effect before it
// returns. It is TSO linearizable: an addition is over when its store has reached memory. With FENCE
// all is well.
//
//   heddle linearizable late_set.c --object set --functions add,contains --roles add/contains
#include <stdatomic.h>

static _Atomic int there[4];

int add(int key) {
  if (atomic_load_explicit(&there[key], memory_order_relaxed))
    return 0;
  atomic_store_explicit(&there[key], 1, memory_order_relaxed);
#ifdef FENCE
  atomic_thread_fence(memory_order_seq_cst);
#endif
  return 1;
}

int contains(int key) { return atomic_load_explicit(&there[key], memory_order_relaxed); }
