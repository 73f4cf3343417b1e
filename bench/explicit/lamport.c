// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Lamport's fast mutual exclusion (Lamport 1987) for N threads that enter again and again.
#include <assert.h>
#include <pthread.h>

#ifndef N
#define N 4
#endif
volatile int b[N];
volatile int x;
volatile int y;
volatile int inside;

static void *process(void *argument) {
  int me = (int)(long)argument;
  for (;;) {
  start:
    b[me] = 1;
    x = me + 1;
    if (y != 0) {
      b[me] = 0;
      while (y != 0)
        ;
      goto start;
    }
    y = me + 1;
    if (x != me + 1) {
      b[me] = 0;
      for (int k = 0; k < N; k++)
        while (b[k])
          ;
      if (y != me + 1) {
        while (y != 0)
          ;
        goto start;
      }
    }
    inside = inside + 1;
    assert(inside == 1);
    inside = inside - 1;
    y = 0;
    b[me] = 0;
  }
}

int main(void) {
  pthread_t thread;
  for (long i = 1; i < N; i++)
    pthread_create(&thread, 0, process, (void *)i);
  process((void *)0);
}
