// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Threads that branch on what they read, which a solver guesses: a number that needs more bits than are looked at first
// (100), a place only the reader writes, an atomic section, a choice, a weak compare-exchange.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef SOUGHT
#define SOUGHT 100
#endif

extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);

static atomic_int x, found, steps;

static void *writer(void *argument) {
  atomic_store(&x, (int)(long)argument);
  return 0;
}

static void *adder(void *argument) {
  int old = atomic_load(&x);
  int sum = old + 1;
  if (!atomic_compare_exchange_weak(&x, &old, sum))
    atomic_fetch_add(&x, 2);
  return argument;
}

static void *reader(void *argument) {
  atomic_store(&steps, 1);
  int choice = __VERIFIER_nondet_int();
  __VERIFIER_atomic_begin();
  int first = atomic_load(&x);
  int second = atomic_load(&x);
  __VERIFIER_atomic_end();
  assert(first == second);
  if (choice == 3 && atomic_load(&x) == SOUGHT) {
    atomic_store(&steps, 2);
    if (atomic_load(&steps) == 2)
      atomic_store(&found, 1);
  }
  return argument;
}

int main(void) {
  pthread_t threads[3];
  pthread_create(&threads[0], 0, writer, (void *)100);
  pthread_create(&threads[1], 0, adder, 0);
  pthread_create(&threads[2], 0, reader, 0);
  for (int i = 0; i < 3; i++)
    pthread_join(threads[i], 0);
  assert(atomic_load(&found) == 0);
}
