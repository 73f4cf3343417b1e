// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// A counter that is incremented by compare-and-swap, with a proof. With BROKEN the increment is a
// load and an exchange. With WEAK the invariant holds, but says too little for a proof; with FALSE it
// does not hold; with CHEATS an operation looks at the abstract counter, which only the proof has.
//
//   heddle linearizable counter.c --functions increment,get --invariant invariant
//     --abstract increment=abstract_increment,get=abstract_get
//     --linearization-point increment:28:cas --linearization-point get:33:read
#include <stdatomic.h>

static _Atomic unsigned count;
static unsigned abstract_count;
#ifdef CHEATS
#define SEEN abstract_count
#else
#define SEEN 0
#endif

unsigned increment(void) {
  unsigned seen = atomic_load_explicit(&count, memory_order_relaxed);
#ifdef BROKEN
#define UPDATE(seen) (atomic_exchange(&count, (seen) + 1), 1)
#else
#define UPDATE(seen) atomic_compare_exchange_strong(&count, &(seen), (seen) + 1)
#endif
  while (!UPDATE(seen))
    ;
  return seen;
}

unsigned get(void) { return atomic_load_explicit(&count, memory_order_relaxed) + SEEN; }

unsigned abstract_increment(void) { return abstract_count++; }
unsigned abstract_get(void) { return abstract_count; }

_Bool invariant(void) {
#ifdef WEAK
  return (count & 1U) == (abstract_count & 1U);
#elif defined(FALSE)
  return count == abstract_count && count < 3;
#else
  return count == abstract_count;
#endif
}
