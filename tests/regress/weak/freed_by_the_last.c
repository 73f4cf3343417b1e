// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
// Two threads read a block; the one whose update comes second frees it. Its update must acquire what the other one released,
// or the read of the other thread is not before the free.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#define LOAD(place, order) atomic_load_explicit(&(place), memory_order_##order)
#define STORE(place, value, order) atomic_store_explicit(&(place), value, memory_order_##order)
#define FENCE(order) atomic_thread_fence(memory_order_##order)
#include <stdlib.h>

static int *block;
static atomic_int done;

static void *first(void *argument) {
  (void)argument;
  assert(*block == 3);
  if (atomic_fetch_add_explicit(&done, 1, ORDER) == 1)
    free(block);
  return 0;
}

int main(void) {
  block = malloc(sizeof *block);
  *block = 3;
  pthread_t one, two;
  pthread_create(&one, 0, first, 0);
  pthread_create(&two, 0, first, 0);
  pthread_join(one, 0);
  pthread_join(two, 0);
}
