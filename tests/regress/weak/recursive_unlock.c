// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// A recursive mutex is given back where its depth is 0: what the thread has found there decides.
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

#ifdef CHECKING
static pthread_mutex_t mutex = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP;
#else
static pthread_mutex_t mutex = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
#endif
static int count;

static void* work(void* unused) {
  pthread_mutex_lock(&mutex);
#ifndef CHECKING
  pthread_mutex_lock(&mutex);
  count++;
  pthread_mutex_unlock(&mutex);
#endif
#ifdef EARLY
  pthread_mutex_unlock(&mutex);
#endif
  count++;
  pthread_mutex_unlock(&mutex);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, work, NULL);
  work(NULL);
  pthread_join(thread, NULL);
#ifdef CHECKING
  assert(count == 2);
#else
  assert(count == 4);
#endif
  return 0;
}
