// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Two threads join a third one, which is undefined.
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static pthread_t worker;
static int done;

static void* work(void* unused) {
  done = 1;
  return unused;
}

static void* join(void* unused) {
  pthread_join(worker, NULL);
  return unused;
}

int main(void) {
  pthread_t other;
  pthread_create(&worker, NULL, work, NULL);
  pthread_create(&other, NULL, join, NULL);
#ifdef TWICE
  pthread_join(worker, NULL);
#endif
  pthread_join(other, NULL);
  assert(done == 1);
  return 0;
}
