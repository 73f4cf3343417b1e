// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// A loop that counts in shared memory while it waits. What a turn stores is found by the next turn
// only, and in the end after the loop: however many turns are unrolled, the one behind the bound
// may find what the last one has stored, so that no bound is enough for a proof.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int ready, turns;

static void *prepare(void *unused) {
  atomic_store(&ready, 1);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, prepare, 0);
  while (!atomic_load(&ready)) {
    int before = atomic_load(&turns);
    atomic_store(&turns, before + 1);
  }
  assert(atomic_load(&turns) < MOST);
  return 0;
}
