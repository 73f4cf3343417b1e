// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// A block is handed over, and freed by who got it.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static _Atomic(int*) handed;

static void* taker(void* unused) {
  (void)unused;
  int* mine = atomic_load_explicit(&handed, memory_order_acquire);
  if (mine != NULL) {
    assert(*mine >= 7);
    free(mine);
#ifdef AGAIN
    free(mine);
#endif
#ifdef OWN
    int* own = malloc(sizeof *own);
    *own = 1;
    free(own);
    assert(*own == 1);
#endif
  }
  return NULL;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, taker, NULL);
  int* block = malloc(sizeof *block);
  *block = 7;
  atomic_store_explicit(&handed, block, memory_order_release);
#ifdef LATE
  *block = 8;
#endif
  pthread_join(thread, NULL);
#ifdef AFTER
  if (atomic_load(&handed) != NULL)
    *block = 9;
#endif
#ifdef INSIDE
  free((char*)&handed);
#endif
}
