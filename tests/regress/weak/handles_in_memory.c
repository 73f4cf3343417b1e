// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Which thread is joined, what a new thread runs and what it is given depends on what was read.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

extern _Bool __VERIFIER_nondet_bool(void);

static pthread_t worker[2];
static int done[2];
static atomic_int chosen;

static void* work(void* number) {
  done[(intptr_t)number] = 1;
  return NULL;
}

static void* count(void* number) {
  done[(intptr_t)number] = 2;
  return number;
}

/// A thread that did not create them joins them.
static void* collect(void* unused) {
  (void)unused;
#ifdef ONE
  pthread_join(worker[0], NULL);
#elif defined(CHOOSE)
  int which = __VERIFIER_nondet_bool();
  pthread_join(worker[which], NULL);
  assert(done[which] == 1);
#ifdef OTHER
  assert(done[!which] == 1);
#endif
  return NULL;
#elif defined(TWICE)
  pthread_join(worker[0], NULL);
  pthread_join(worker[0], NULL);
#else
  pthread_join(worker[0], NULL);
  pthread_join(worker[1], NULL);
#endif
  assert(done[0] == 1 && done[1] == 1);
  return NULL;
}

static void* set(void* unused) {
  (void)unused;
  atomic_store_explicit(&chosen, 1, memory_order_relaxed);
  return NULL;
}

#ifdef GIVEN
int main(void) {
  pthread_t setter;
  void* result;
  pthread_create(&setter, NULL, set, NULL);
  int number = atomic_load_explicit(&chosen, memory_order_relaxed);
  // The function and the argument are found by reading.
  void* (*function[2])(void*) = {work, count};
  pthread_create(&worker[0], NULL, function[number], (void*)(intptr_t)number);
  pthread_join(worker[0], &result);
  assert(done[number] == number + 1 && (intptr_t)result == number);
#ifdef MAY_BE_ONE
  assert(result == NULL);
#endif
  pthread_join(setter, NULL);
}
#else
int main(void) {
  pthread_t collector;
  pthread_create(&worker[0], NULL, work, (void*)0);
  pthread_create(&worker[1], NULL, work, (void*)1);
  pthread_create(&collector, NULL, collect, NULL);
  pthread_join(collector, NULL);
}
#endif
