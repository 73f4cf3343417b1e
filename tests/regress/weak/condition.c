// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
// A message under a lock and a condition. The data are written outside of the lock; RELAXED announces them by a flag that
// the lock does not protect, IF does not look again, TIMED gives up at the first wake-up.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <time.h>

int data;
int ready;
atomic_int flag;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t changed = PTHREAD_COND_INITIALIZER;

void* send(void* unused) {
  data = 1;
#ifdef RELAXED
  atomic_store_explicit(&flag, 1, memory_order_relaxed);
  pthread_cond_signal(&changed);
#else
  pthread_mutex_lock(&lock);
  ready = 1;
  pthread_cond_broadcast(&changed);
  pthread_mutex_unlock(&lock);
#endif
  return 0;
}

int main(void) {
  pthread_t sender;
  pthread_create(&sender, 0, send, 0);
  pthread_mutex_lock(&lock);
#if defined(RELAXED)
  if (!atomic_load_explicit(&flag, memory_order_relaxed))
    pthread_cond_wait(&changed, &lock);
  if (atomic_load_explicit(&flag, memory_order_relaxed))
    assert(data == 1);
#elif defined(IF)
  if (!ready)
    pthread_cond_wait(&changed, &lock);
  assert(data == 1);
#elif defined(TIMED)
  const struct timespec now = {0, 0};
  if (!ready && pthread_cond_timedwait(&changed, &lock, &now) == 0 && !ready)
    pthread_cond_timedwait(&changed, &lock, &now);
  if (ready)
    assert(data == 1);
#else
  if (!ready)
    pthread_cond_wait(&changed, &lock);
  if (ready)
    assert(data == 1);
#endif
  pthread_mutex_unlock(&lock);
  pthread_join(sender, 0);
  return 0;
}
