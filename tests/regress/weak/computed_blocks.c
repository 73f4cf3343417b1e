// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Blocks whose size is read or computed, and blocks that grow.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int count;
static _Atomic(int*) shown;

static void* choose(void* unused) {
  (void)unused;
  atomic_store_explicit(&count, 2, memory_order_relaxed);
  return NULL;
}

static void* look(void* unused) {
  (void)unused;
  int* seen = atomic_load_explicit(&shown, memory_order_acquire);
  if (seen != NULL)
    assert(seen[0] == 5);
  return NULL;
}

int main(void) {
  pthread_t chooser, looker;
  pthread_create(&chooser, NULL, choose, NULL);
  pthread_create(&looker, NULL, look, NULL);
#ifdef GROW
  int* block = malloc(sizeof *block);
  block[0] = 5;
  block = realloc(block, 2 * sizeof *block);
  block[1] = 6;
#else
  // One or two elements.
  unsigned elements = 1 + (atomic_load_explicit(&count, memory_order_relaxed) == 2);
  int* block = malloc(elements * sizeof *block);
  block[0] = 5;
#ifdef BEHIND
  block[1] = 6;
#endif
#endif
#ifdef LATE
  atomic_store_explicit(&shown, block, memory_order_relaxed);
#else
  atomic_store_explicit(&shown, block, memory_order_release);
#endif
  pthread_join(chooser, NULL);
  pthread_join(looker, NULL);
  assert(block[0] == 5);
  free(block);
}
