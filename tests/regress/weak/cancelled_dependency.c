// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// What is computed from a read and cancels out, over several statements, is no dependency: compilers
// fold it, and the store may come first.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int x, y;
static int first_read, second_read;

static void* first(void* unused) {
  int r = atomic_load_explicit(&x, memory_order_relaxed);
  int k = 2;
#if defined(BRANCH)
  int q = r;
  if ((q ^ r) == 0)
    k = 1;
#elif defined(ASSIGNED)
  int q = r;
  q ^= r;
  if (!q)
    k = 1;
#elif defined(FIELD)
  struct {
    int one, two;
  } pair;
  pair.one = r;
  pair.two = r;
  k = pair.one - pair.two + 1;
#elif defined(CHOSEN)
  int q = r ? 3 : 4;
  int p = q;
  k = (p ^ q) + 1;
#elif defined(KEPT)
  int q = r;
  q ^= 1;
  k = q ^ 1;
#elif defined(KEPT_BRANCH)
  int q = r;
  k = 0;
  if (q)
    k = 1;
#else
  int q = r;
  k = (q ^ r) + 1;
#endif
  atomic_store_explicit(&y, k, memory_order_relaxed);
  first_read = r;
  return unused;
}

static void* second(void* unused) {
  int r = atomic_load_explicit(&y, memory_order_relaxed);
  atomic_store_explicit(&x, r, memory_order_relaxed);
  second_read = r;
  return unused;
}

int main(void) {
  pthread_t one, two;
  pthread_create(&one, NULL, first, NULL);
  pthread_create(&two, NULL, second, NULL);
  pthread_join(one, NULL);
  pthread_join(two, NULL);
  assert(!(first_read == 1 && second_read == 1));
  return 0;
}
