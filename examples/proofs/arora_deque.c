// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// The work-stealing deque of Arora, Blumofe and Plaxton (SPAA 1998), with a proof after O. Travkin
// (Weak2SC, 2017, section 6.2.4). One thread owns it and pushes and pops at the bottom; all others
// take from the top, and may get nothing (-2), also because another was faster. pop_bottom needs a
// fence between its write of bottom and its read of age (LATE: it comes after). PSO also needs the
// element before bottom, and a bottom of 0 before the new age (PSO_FENCE). With BROKEN it takes the
// last element without a compare-and-swap. What is not allowed: with GUARDED it looks at an
// auxiliary variable, with WRITTEN it writes one, with MIXED an auxiliary function knows the
// abstract deque.
//
// `range` is an auxiliary variable: 0 normally, 1 while pop_bottom has lowered bottom (to `low`) and
// has not taken anything, 2 when it has set bottom to 0. It changes in the very steps in which
// stores reach memory, so it is written by auxiliary functions (--auxiliary), and not here.
// Assertions say what is known of places; they stand where the store buffer is empty anyhow.
//
// The tag in age is assumed not to run over, and elements not to be negative.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

extern void __VERIFIER_assume(int condition);
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);

#define LOAD(x) atomic_load_explicit(&(x), memory_order_relaxed)
#define STORE(x, v) atomic_store_explicit(&(x), v, memory_order_relaxed)
#define FENCE() atomic_thread_fence(memory_order_seq_cst)
#ifdef PSO_FENCE
#define STORE_STORE_FENCE() atomic_thread_fence(memory_order_release)
#else
#define STORE_STORE_FENCE()
#endif
#define OWNER ((pthread_t)2)
#define SIZE 2U // also in abstract_pop_top
static _Atomic unsigned bottom;
static _Atomic unsigned age; // a tag in the upper 16 bits, top in the lower
static _Atomic int items[SIZE];
#define TOP(age) ((age)&0xffffU)
#ifdef BROKEN
#define TAKE(at, old, fresh) (atomic_exchange(at, fresh), 1)
#else
#define TAKE(at, old, fresh) atomic_compare_exchange_strong(at, old, fresh)
#endif

static int content[SIZE]; // of the abstract deque, from the top on
static unsigned length;

static unsigned range, low; // auxiliary

void push_bottom(int value) {
  __VERIFIER_assume(pthread_self() == OWNER);
  unsigned b = LOAD(bottom);
  __VERIFIER_assume(b < SIZE);
  __VERIFIER_assume(value >= 0);
  STORE(items[b], value);
  STORE_STORE_FENCE();
  STORE(bottom, b + 1);
  FENCE();
}

int pop_bottom(void) {
  __VERIFIER_assume(pthread_self() == OWNER);
  unsigned b = LOAD(bottom);
#ifdef GUARDED
  if (range != 0)
    return -1;
#elif defined(WRITTEN)
  low = b;
#endif
  if (b == 0)
    return -1;
  b = b - 1;
  STORE(bottom, b);
#ifndef LATE
  FENCE();
#endif
  int value = LOAD(items[b]);
  unsigned old = LOAD(age);
#ifdef LATE
  FENCE();
#endif
  __VERIFIER_assume(old < 0xffff0000U);
  if (b > TOP(old))
    return value;
  unsigned fresh = (old & 0xffff0000U) + 0x10000U;
  if (b == TOP(old)) {
    STORE(bottom, 0); // one
    __VERIFIER_atomic_begin();
    assert((age < fresh) & (TOP(fresh) == 0));
    assert(low == TOP(old));
    assert(age - old <= 1);
    assert(value == items[TOP(old) % SIZE]);
    int is_mine = TAKE(&age, &old, fresh);
    __VERIFIER_atomic_end();
    if (is_mine)
      return value;
  } else {
    __VERIFIER_atomic_begin();
    assert((age < fresh) & (TOP(fresh) == 0));
    __VERIFIER_atomic_end();
    STORE(bottom, 0); // none
    STORE_STORE_FENCE();
  }
  STORE(age, fresh);
  FENCE();
  return -1;
}

int pop_top(void) {
  __VERIFIER_assume(pthread_self() != OWNER);
  unsigned old = LOAD(age);
  __VERIFIER_atomic_begin();
  assert(old <= age);
  unsigned b = LOAD(bottom);
  __VERIFIER_atomic_end();
  if (b <= TOP(old))
    return -2;
  __VERIFIER_atomic_begin();
  assert((old < age) | ((old == age) & (length != 0)));
  int value = LOAD(items[TOP(old)]);
  __VERIFIER_atomic_end();
  __VERIFIER_atomic_begin();
  assert((old < age) | ((old == age) & (length != 0) & (value == items[TOP(old) % SIZE])));
  int is_mine = atomic_compare_exchange_strong(&age, &old, old + 1);
  __VERIFIER_atomic_end();
  return is_mine ? value : -2;
}

void abstract_push_bottom(int value) {
  __VERIFIER_assume(length < SIZE);
  content[length++] = value;
}
int abstract_pop_bottom(void) { return length == 0 ? -1 : content[--length]; }
int abstract_pop_top(void) {
  __VERIFIER_assume(length != 0);
  int first = content[0];
  content[0] = content[1];
  length--;
  return first;
}

/// bottom was lowered.
void lowers(void) {
  range = 1;
  low = bottom;
}
/// Of several elements the last one is taken.
void looks(void) {
  if (bottom > TOP(age))
    range = 0;
}
void clears(void) {
  range = 2;
#ifdef MIXED
  length = 0;
#endif
}
/// The last element is taken if age changes.
void takes(void) {
  if (TOP(age) == 0)
    range = 0;
}
void resets(void) { range = 0; }

_Bool invariant(void) {
  unsigned top = TOP(age);
  if (bottom > SIZE || top > SIZE || range > 2)
    return 0;
  unsigned end = bottom;
  if (range != 0) {
    if (low >= SIZE || bottom != (range == 1 ? low : 0))
      return 0;
    end = low + 1;
  }
  if (top > end || length != end - top || (range == 2 && length > 1))
    return 0;
  for (unsigned i = 0; i < SIZE; i++)
    if (items[i] < 0 || (i < length && content[i] != items[(top + i) % SIZE]))
      return 0;
  return 1;
}
