// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// A read-write lock: a reader sees both or none of what a writer does, and nobody can write while it reads.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
atomic_int x, y;
void *first(void *unused) {
#ifndef BROKEN
  pthread_rwlock_wrlock(&lock);
#endif
  atomic_store_explicit(&x, 1, memory_order_relaxed);
  atomic_store_explicit(&y, 1, memory_order_relaxed);
#ifndef BROKEN
  pthread_rwlock_unlock(&lock);
#endif
  return unused;
}
void *second(void *unused) {
  if (pthread_rwlock_tryrdlock(&lock) != 0)
    pthread_rwlock_rdlock(&lock);
  assert(pthread_rwlock_trywrlock(&lock) != 0);
  int seen = atomic_load_explicit(&x, memory_order_relaxed);
  assert(seen == atomic_load_explicit(&y, memory_order_relaxed));
  pthread_rwlock_unlock(&lock);
  return unused;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, first, 0);
  pthread_create(&b, 0, second, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(pthread_rwlock_trywrlock(&lock) == 0);
  return 0;
}
