// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Peterson's filter lock (Peterson 1981) for N threads that enter again and again.
#include <assert.h>
#include <pthread.h>

#ifndef N
#define N 4
#endif
volatile int level[N];
volatile int last[N];
volatile int inside;

static void *process(void *argument) {
  int me = (int)(long)argument;
  for (;;) {
    for (int l = 1; l < N; l++) {
      level[me] = l;
      last[l] = me;
      for (int k = 0; k < N; k++) {
        if (k == me)
          continue;
        while (level[k] >= l && last[l] == me)
          ;
      }
    }
    inside = inside + 1;
    assert(inside == 1);
    inside = inside - 1;
    level[me] = 0;
  }
}

int main(void) {
  pthread_t thread;
  for (long i = 1; i < N; i++)
    pthread_create(&thread, 0, process, (void *)i);
  process((void *)0);
}
