// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// A block is freed when a flag says that the other thread is done with it. Without release and
// acquire, its last access may reach memory after the free, except where stores do not pass each
// other.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#ifndef STORE
#define STORE memory_order_release
#endif
#ifndef LOAD
#define LOAD memory_order_acquire
#endif

static atomic_int done;
static atomic_int *block;
static int seen;

static void *worker(void *unused) {
  (void)unused;
#ifdef READS
  seen = atomic_load_explicit(block, memory_order_relaxed);
#else
  atomic_store_explicit(block, 1, memory_order_relaxed);
#endif
  atomic_store_explicit(&done, 1, STORE);
#ifdef AGAIN
  atomic_store_explicit(block, 2, memory_order_relaxed);
#endif
  return NULL;
}

int main(void) {
  block = malloc(sizeof *block);
  atomic_store_explicit(block, 0, memory_order_relaxed);
  pthread_t thread;
  pthread_create(&thread, NULL, worker, NULL);
  while (!atomic_load_explicit(&done, LOAD)) {
  }
  free(block);
  return 0;
}
