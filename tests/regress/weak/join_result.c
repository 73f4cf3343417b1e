// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// What threads have read comes to main by their results.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#ifndef ORDER
#define ORDER memory_order_relaxed
#endif

static atomic_int x, y;
static int plain;

static void* left(void* unused) {
  (void)unused;
  plain = 7;
  atomic_store_explicit(&x, 1, ORDER);
  if (atomic_load_explicit(&y, ORDER) != 0)
    return (void*)(intptr_t)1;
  return NULL;
}

static void* right(void* unused) {
  (void)unused;
  atomic_store_explicit(&y, 1, ORDER);
  pthread_exit((void*)(intptr_t)atomic_load_explicit(&x, ORDER));
}

int main(void) {
  pthread_t a, b;
  void *seen_by_left, *seen_by_right;
  pthread_create(&a, NULL, left, NULL);
  pthread_create(&b, NULL, right, NULL);
  pthread_join(a, &seen_by_left);
  assert(plain == 7);
  pthread_join(b, &seen_by_right);
  assert((intptr_t)seen_by_left + (intptr_t)seen_by_right <= 2);
#ifdef STORE_BUFFERING
  assert(seen_by_left != NULL || seen_by_right != NULL);
#endif
}
