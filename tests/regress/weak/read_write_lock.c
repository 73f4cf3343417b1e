// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
// Two words that a writer keeps equal, and a reader. UNLOCKED reads without the lock, SHARED writes with the lock for
// reading only. TRY gives up if the lock is taken. READERS: what one reader writes, another one reads once it has seen a
// relaxed flag; readers do not synchronise with each other. WRITER: the same with a writer, who comes after all readers.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

int a;
int b;
atomic_int flag;
pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;

#if defined(READERS) || defined(WRITER)
void* other(void* unused) {
  pthread_rwlock_rdlock(&lock);
  a = 1;
  pthread_rwlock_unlock(&lock);
  atomic_store_explicit(&flag, 1, memory_order_relaxed);
  return 0;
}
#else
void* other(void* unused) {
#ifdef SHARED
  pthread_rwlock_rdlock(&lock);
#else
  pthread_rwlock_wrlock(&lock);
#endif
  a = 1;
  b = 1;
  pthread_rwlock_unlock(&lock);
  return 0;
}
#endif

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, other, 0);
#if defined(READERS) || defined(WRITER)
  if (atomic_load_explicit(&flag, memory_order_relaxed)) {
#ifdef READERS
    pthread_rwlock_rdlock(&lock);
#else
    pthread_rwlock_wrlock(&lock);
#endif
    assert(a == 1);
    pthread_rwlock_unlock(&lock);
  }
#elif defined(UNLOCKED)
  assert(a == b);
#elif defined(TRY)
  if (pthread_rwlock_tryrdlock(&lock) == 0) {
    assert(a == b);
    pthread_rwlock_unlock(&lock);
  } else if (pthread_rwlock_trywrlock(&lock) == 0) {
    assert(a == 1 && b == 1);
    pthread_rwlock_unlock(&lock);
  }
#else
  pthread_rwlock_rdlock(&lock);
  assert(a == b);
  pthread_rwlock_unlock(&lock);
#endif
  pthread_join(thread, 0);
  return 0;
}
