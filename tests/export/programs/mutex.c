// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// A counter under a mutex, a handle and an argument given on. BROKEN: one thread forgets the lock.
#include <assert.h>
#include <pthread.h>
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
int counter;
void *first(void *step) {
  pthread_mutex_lock(&mutex);
  counter = counter + *(int *)step;
  pthread_mutex_unlock(&mutex);
  return step;
}
void *second(void *step) {
#ifndef BROKEN
  pthread_mutex_lock(&mutex);
#endif
  counter = counter + *(int *)step;
#ifndef BROKEN
  pthread_mutex_unlock(&mutex);
#endif
  return step;
}
int one = 1, two = 2;
int main(void) {
  pthread_t a, b;
  void *result;
  pthread_create(&a, 0, first, &one);
  pthread_create(&b, 0, second, &two);
  pthread_join(a, &result);
  assert(result == &one);
  pthread_join(b, 0);
  assert(counter == 3);
  return 0;
}
