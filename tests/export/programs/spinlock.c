// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// A spin lock made of an exchange, which empties the buffer. BROKEN: it only looks, then stores.
#include <assert.h>
#include <pthread.h>
int lock, inside;
static void work(void) {
#ifdef BROKEN
  while (lock != 0)
    ;
  lock = 1;
#else
  while (__atomic_exchange_n(&lock, 1, __ATOMIC_ACQUIRE) != 0)
    ;
#endif
  inside = inside + 1;
  assert(inside == 1);
  inside = inside - 1;
  __atomic_store_n(&lock, 0, __ATOMIC_RELEASE);
}
void *first(void *unused) {
  work();
  return unused;
}
void *second(void *unused) {
  work();
  return unused;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, first, 0);
  pthread_create(&b, 0, second, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
