// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Store buffering: each thread writes one place and reads the other. ORDER says how; with locks (LOCKED) nothing is reordered.
#include <pthread.h>
#include <stdatomic.h>

#ifndef ORDER
#define ORDER memory_order_relaxed
#endif

static atomic_int x, y;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void enter(void) {
#ifdef LOCKED
  pthread_mutex_lock(&lock);
#endif
}
static void leave(void) {
#ifdef LOCKED
  pthread_mutex_unlock(&lock);
#endif
}

static void *left(void *unused) {
  enter();
  atomic_store_explicit(&x, 1, ORDER);
  atomic_load_explicit(&y, ORDER);
  leave();
  return 0;
}

static void *right(void *unused) {
  enter();
  atomic_store_explicit(&y, 1, ORDER);
  atomic_load_explicit(&x, ORDER);
  leave();
  return 0;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, left, 0);
  pthread_create(&b, 0, right, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
}
