// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Only main touches `own`, but through a pointer that may as well point to what the other thread writes: what goes
// through the pointer and what goes by the name is the same memory.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static int own;
static int shared;
static atomic_int flag;

static void *worker(void *argument) {
  (void)argument;
  shared = 1;
  atomic_store(&flag, 1);
  return 0;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, worker, 0);
  own = 3;
  int *const place = atomic_load(&flag) ? &own : &shared;
  if (place == &own) {
    assert(*place == 3); // stored by name, read through the pointer
    *place = 5;
    assert(own == 5); // stored through the pointer, read by name
#ifdef WRONG
    assert(own == 3);
#endif
  }
  pthread_join(thread, 0);
}
