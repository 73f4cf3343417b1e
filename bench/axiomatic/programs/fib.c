// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Two threads add to each other's number, the known worst case for partial-order reduction: how far the numbers get says
// how often the threads took turns. After ROUNDS additions each, both are at most the Fibonacci number of 2 * ROUNDS + 2,
// reached only by turns that alternate perfectly.
// After the programs fib_bench of the software verification competition (SV-COMP).
// BROKEN: claims that the bound is never reached.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef ROUNDS
#define ROUNDS 2
#endif

static atomic_int i = 1, j = 1;

static void add(atomic_int *to, atomic_int *from) {
  for (int round = 0; round < ROUNDS; round++) {
    int old = atomic_load_explicit(to, memory_order_relaxed);
    int more = atomic_load_explicit(from, memory_order_relaxed);
    atomic_store_explicit(to, old + more, memory_order_relaxed);
  }
}

static void *add_to_i(void *unused) {
  add(&i, &j);
  return unused;
}

static void *add_to_j(void *unused) {
  add(&j, &i);
  return unused;
}

static int fibonacci(int index) {
  int last = 0, current = 1;
  for (int k = 1; k < index; k++) {
    int next = last + current;
    last = current;
    current = next;
  }
  return current;
}

int main(void) {
  pthread_t first, second;
  pthread_create(&first, 0, add_to_i, 0);
  pthread_create(&second, 0, add_to_j, 0);
  int bound = fibonacci(2 * ROUNDS + 2);
  int seen_i = atomic_load_explicit(&i, memory_order_relaxed);
  int seen_j = atomic_load_explicit(&j, memory_order_relaxed);
#ifdef BROKEN
  assert(seen_i < bound && seen_j < bound);
#else
  assert(seen_i <= bound && seen_j <= bound);
#endif
}
