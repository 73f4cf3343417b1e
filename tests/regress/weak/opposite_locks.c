// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Two threads take two locks, in opposite orders unless ORDERED.
#include <pthread.h>

static pthread_mutex_t first = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t second = PTHREAD_MUTEX_INITIALIZER;
static int shared;

static void *left(void *unused) {
  pthread_mutex_lock(&first);
  pthread_mutex_lock(&second);
  shared++;
  pthread_mutex_unlock(&second);
  pthread_mutex_unlock(&first);
  return 0;
}

static void *right(void *unused) {
#ifdef ORDERED
  return left(unused);
#else
  pthread_mutex_lock(&second);
  pthread_mutex_lock(&first);
  shared++;
  pthread_mutex_unlock(&first);
  pthread_mutex_unlock(&second);
  return 0;
#endif
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, left, 0);
  pthread_create(&b, 0, right, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
}
