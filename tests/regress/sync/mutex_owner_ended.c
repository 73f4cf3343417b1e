// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// A thread ends with a mutex and is joined. The next thread is another one: it may not give the mutex back.
#include <assert.h>
#include <pthread.h>

pthread_mutex_t mutex;

static void *take(void *unused) {
  pthread_mutex_lock(&mutex);
  return unused;
}

static void *give(void *unused) {
  assert(pthread_mutex_unlock(&mutex) != 0);
  return unused;
}

int main(void) {
  pthread_mutexattr_t attributes;
  pthread_mutexattr_init(&attributes);
  pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_ERRORCHECK);
  pthread_mutex_init(&mutex, &attributes);
  pthread_t first, second;
  pthread_create(&first, 0, take, 0);
  pthread_join(first, 0);
  pthread_create(&second, 0, give, 0);
  pthread_join(second, 0);
  return 0;
}
