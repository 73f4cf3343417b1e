// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
// Threads that compute for thousands of steps that nobody else can see, and one that does so for ever (ENDLESS).
#include <assert.h>
#include <pthread.h>

static volatile int result;

static int sum(int rounds) {
  int s = 0;
  for (int i = 0; i < rounds; i++)
    s = s * 3 + i;
  return s;
}

static void *compute(void *argument) {
  (void)argument;
  result = sum(1500) != 0;
#ifdef ENDLESS
  for (;;)
    ;
#endif
  return 0;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, compute, 0);
  int own = sum(1600);
#ifndef ENDLESS
  pthread_join(thread, 0);
#endif
  assert(result == EXPECTED || own == 0);
  return 0;
}
