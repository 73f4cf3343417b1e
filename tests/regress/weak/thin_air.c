// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// A value that a branch has chosen depends on what the branch looked at, however it gets to the store: no value comes
// out of thin air on a processor. The other thread copies it back to where it came from.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
extern void __VERIFIER_assume(int);

static atomic_int x, y, z, g, cells[2];
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int first, second;

#define LOAD(place) atomic_load_explicit(&(place), memory_order_relaxed)
#define STORE(place, value) atomic_store_explicit(&(place), value, memory_order_relaxed)
#define ADD(place, value) atomic_fetch_add_explicit(&(place), value, memory_order_relaxed)
#define SWAP(place, value) atomic_exchange_explicit(&(place), value, memory_order_relaxed)
#define CAS(place, old, new)                                                                                           \
  atomic_compare_exchange_strong_explicit(&(place), old, new, memory_order_relaxed, memory_order_relaxed)

#ifdef CALL
static int choose(int r) {
  if (r == 0)
    return 0;
  if (r == 1)
    return 3;
  return 4;
}
#endif
#ifdef POINTER
static void set(int *k, int value) { *k = value; }
#endif
#ifdef FIELD
struct pair {
  int one, two;
};
#endif
#ifdef STOP
static void assume_or_stop(int condition) {
  if (!condition)
    pthread_exit(0);
}
#endif

static void *chooser(void *argument) {
  (void)argument;
#ifndef TRYLOCK
  int r = LOAD(x);
#endif
#if defined(MERGE)
  int k = 0;
  if (r)
    k = 1;
  STORE(y, k);
#elif defined(SELECT)
  STORE(y, r ? 7 : 0);
#elif defined(NESTED)
  int k = 0;
  if (r) {
    if (r > 1)
      k = 2;
    else
      k = 1;
  }
  STORE(y, k);
#elif defined(BOTH)
  int k = 0;
  if (r && LOAD(z) == 0)
    k = 1;
  STORE(y, k);
#elif defined(SWITCH)
  int k;
  switch (r) {
  case 0: k = 0; break;
  case 1: k = 1; break;
  default: k = 2;
  }
  STORE(y, k);
#elif defined(TURNS)
  int k = 0;
  for (int i = 0; i < r && i < 2; ++i)
    k += 2;
  STORE(y, k);
#elif defined(LEFT)
  int k = 0;
  for (int i = 0; i < 2; ++i) {
    if (LOAD(x)) {
      k = 1;
      break;
    }
  }
  r = k;
  STORE(y, k);
#elif defined(TWICE)
  int k = 0;
  if (r)
    k = 1;
  int l = 0;
  if (k)
    l = 1;
  STORE(y, l);
#elif defined(POINTER)
  int k = 0;
  if (r)
    set(&k, 1);
  STORE(y, k);
#elif defined(TABLE)
  int table[2] = {0, 1};
  STORE(y, table[r != 0]);
#elif defined(SLOT)
  int table[2] = {0, 0};
  table[r != 0] = 1;
  STORE(y, table[1]);
#elif defined(FIELD)
  struct pair pair = {0, 0};
  if (r)
    pair.two = 1;
  struct pair copy = pair;
  STORE(y, copy.two);
#elif defined(CALL)
  STORE(y, choose(r));
#elif defined(ASSUME)
  __VERIFIER_assume(r);
  STORE(y, 1);
#elif defined(STOP)
  assume_or_stop(r);
  STORE(y, 1);
#elif defined(WAIT)
  while (!LOAD(x))
    ;
  r = 1;
  STORE(y, 1);
#elif defined(WAIT_UPDATE)
  while (!SWAP(x, 0))
    ;
  r = 1;
  STORE(y, 1);
#elif defined(UPDATE)
  int k = 0;
  if (r)
    k = 1;
  ADD(y, k);
#elif defined(EXCHANGE)
  int k = 0;
  if (r)
    k = 1;
  (void)SWAP(y, k);
#elif defined(FLAG)
  int old = 1, k = 0;
  if (CAS(x, &old, 1))
    k = 1;
  r = k;
  STORE(y, k);
#elif defined(EXPECTED)
  int old = 5;
  if (r)
    old = 0;
  CAS(y, &old, 1);
#elif defined(ADDRESS)
  atomic_int *place = r ? &y : &z;
  atomic_store_explicit(place, 1, memory_order_relaxed);
#elif defined(CELL)
  int k = 0;
  if (r)
    k = 1;
  STORE(y, LOAD(cells[k]));
#elif defined(SHARED)
  STORE(g, 0);
  if (r)
    STORE(g, 1);
  STORE(y, LOAD(g));
#elif defined(SHARED_OR_NOT)
  STORE(g, 1);
  if (!r)
    STORE(g, 0);
  STORE(y, LOAD(g));
#elif defined(SHARED_BOTH)
  if (r)
    STORE(g, 1);
  else
    STORE(g, 0);
  STORE(y, LOAD(g));
#elif defined(SHARED_VALUE)
  int k = 0;
  if (r)
    k = 1;
  STORE(g, k);
  STORE(y, LOAD(g));
#elif defined(SHARED_UPDATE)
  if (r)
    STORE(g, 1);
  ADD(g, 1);
  STORE(y, LOAD(g) == 2);
#elif defined(TRYLOCK)
  int r = pthread_mutex_trylock(&mutex) != 0;
  if (r)
    STORE(y, 1);
#endif
  first = r;
  return 0;
}

static void *copier(void *argument) {
  (void)argument;
  const int r = LOAD(y);
#ifdef TRYLOCK
  if (r)
    pthread_mutex_lock(&mutex);
#else
  STORE(x, r);
#endif
  second = r;
  return 0;
}

int main(void) {
  pthread_t one, two;
  STORE(cells[1], 1);
  pthread_create(&one, 0, chooser, 0);
  pthread_create(&two, 0, copier, 0);
  pthread_join(one, 0);
  pthread_join(two, 0);
  assert(!(first && second));
  assert(LOAD(g) < 3);
}
