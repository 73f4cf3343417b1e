// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// What compilers do not keep orders nothing: a store that does not need what a branch has looked at may be seen before
// the read. A select in place of a branch gives no control dependency, a branch in place of a select none of data or
// address: a program that is right only with one of the two is not right.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x, y, z, cells[2];
static int first, second, kept;

#define LOAD(place) atomic_load_explicit(&(place), memory_order_relaxed)
#define STORE(place, value) atomic_store_explicit(&(place), value, memory_order_relaxed)

static void *chooser(void *argument) {
  (void)argument;
  const int r = LOAD(x);
#if defined(SAME)
  int k;
  if (r)
    k = 1;
  else
    k = 1;
  STORE(y, k);
#elif defined(FOLDED)
  STORE(y, (r ^ r) + 1);
#elif defined(AFTER)
  int k = 0;
  if (r)
    k = 1;
  kept = k;
  STORE(y, 1);
#elif defined(AFTER_TURNS)
  int k = 0;
  for (int i = 0; i < r; ++i)
    k += 2;
  kept = k;
  STORE(y, 1);
#elif defined(AFTER_STORE)
  int k = 0;
  if (r)
    k = 1;
  STORE(z, k);
  STORE(y, 1);
#elif defined(OVERWRITTEN)
  if (r)
    STORE(z, 1);
  STORE(z, 2);
  STORE(y, LOAD(z) == 2);
#elif defined(CELL)
  int k = 0;
  if (r)
    k = 1;
  kept = LOAD(cells[k]);
#elif defined(FORWARDED)
  int k = 0;
  if (r)
    k = 1;
  STORE(z, k);
  kept = LOAD(cells[LOAD(z)]);
#endif
  first = r;
  return 0;
}

static void *copier(void *argument) {
  (void)argument;
#if defined(CELL) || defined(FORWARDED)
  STORE(cells[1], 1);
  atomic_thread_fence(memory_order_seq_cst);
  STORE(x, 1);
#else
  second = LOAD(y);
  STORE(x, second);
#endif
  return 0;
}

int main(void) {
  pthread_t one, two;
  pthread_create(&one, 0, chooser, 0);
  pthread_create(&two, 0, copier, 0);
  pthread_join(one, 0);
  pthread_join(two, 0);
#if defined(CELL) || defined(FORWARDED)
  assert(!(first && !kept));
#else
  assert(!(first && second));
#endif
}
