// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Initialising orders nothing: who finds what it has written does not come after it.
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stddef.h>

static sem_t semaphore;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int data;

static void* work(void* unused) {
#if defined(DESTROYED)
  data = 2;
  pthread_mutex_trylock(&mutex);
#else
  sem_wait(&semaphore);
  data = 2;
#endif
  return unused;
}

int main(void) {
  pthread_t thread;
#if defined(DESTROYED)
  pthread_create(&thread, NULL, work, NULL);
  if (pthread_mutex_destroy(&mutex) == EBUSY)
    data = 1;
#elif defined(EARLY)
  data = 1;
  sem_init(&semaphore, 0, 1);
  pthread_create(&thread, NULL, work, NULL);
#else
  pthread_create(&thread, NULL, work, NULL);
  data = 1;
  sem_init(&semaphore, 0, 1);
#endif
  pthread_join(thread, NULL);
  return 0;
}
