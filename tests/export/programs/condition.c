// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// A wait for a condition; without the loop a wakeup that nobody caused is taken for the signal.
#include <assert.h>
#include <pthread.h>
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
int is_ready, data;
void *first(void *unused) {
  pthread_mutex_lock(&mutex);
  data = 1;
  is_ready = 1;
  pthread_cond_signal(&condition);
  pthread_mutex_unlock(&mutex);
  return unused;
}
int main(void) {
  pthread_t a;
  pthread_create(&a, 0, first, 0);
  pthread_mutex_lock(&mutex);
#ifdef BROKEN
  if (!is_ready)
#else
  while (!is_ready)
#endif
    pthread_cond_wait(&condition, &mutex);
  assert(data == 1);
  pthread_mutex_unlock(&mutex);
  pthread_join(a, 0);
  return 0;
}
