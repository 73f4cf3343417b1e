// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// The deadlock is 8,000 threads away, and there are more states on the way than can be seen level by level: breadth-first
// alone comes only halfway in its time.
#include <pthread.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int left, right;

void *first(void *unused) {
  pthread_mutex_lock(&lock);
  left = right + 1;
  pthread_mutex_unlock(&lock);
  return unused;
}

void *second(void *unused) {
  pthread_mutex_lock(&lock);
  right = left + 1;
  pthread_mutex_unlock(&lock);
  return unused;
}

int main(void) {
  for (int i = 0; i < 4000; i++) {
    pthread_t a, b;
    pthread_create(&a, 0, first, 0);
    pthread_create(&b, 0, second, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
  }
  pthread_mutex_lock(&lock);
  pthread_mutex_lock(&lock);
  return 0;
}
