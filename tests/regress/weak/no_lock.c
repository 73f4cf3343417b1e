// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// A lock or a condition that is used before there is one.
#include <pthread.h>

static pthread_mutex_t* mutex;
static pthread_rwlock_t* lock;
static pthread_cond_t* condition;
static int x;

static void* other(void* unused) {
  (void)unused;
  x = 1;
  return NULL;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, other, NULL);
#if defined(MUTEX)
  pthread_mutex_lock(mutex);
#elif defined(LOCK)
  pthread_rwlock_rdlock(lock);
#else
  pthread_cond_signal(condition);
#endif
  pthread_join(thread, NULL);
  return 0;
}
