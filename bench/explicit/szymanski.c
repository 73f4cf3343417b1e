// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Szymanski's algorithm (Szymanski 1988) for N threads, ROUNDS times each.
#include <assert.h>
#include <pthread.h>

#ifndef N
#define N 3
#endif
#ifndef ROUNDS
#define ROUNDS 8
#endif
volatile int flag[N];
volatile int inside;

static void *process(void *argument) {
  int me = (int)(long)argument;
  for (int round = 0; round < ROUNDS; round++) {
    int k;
    int found;
    flag[me] = 1;
    for (k = 0; k < N; k++)
      while (flag[k] >= 3)
        ;
    flag[me] = 3;
    found = 0;
    for (k = 0; k < N; k++)
      if (flag[k] == 1)
        found = 1;
    if (found) {
      flag[me] = 2;
      found = 0;
      while (!found)
        for (k = 0; k < N; k++)
          if (flag[k] == 4)
            found = 1;
    }
    flag[me] = 4;
    for (k = 0; k < me; k++)
      while (flag[k] >= 2)
        ;
    inside = inside + 1;
    assert(inside == 1);
    inside = inside - 1;
    for (k = me + 1; k < N; k++) {
      int seen;
      do
        seen = flag[k]; // one read: with two, the flag may go from 3 to 2 in between
      while (seen == 2 || seen == 3);
    }
    flag[me] = 0;
  }
  return 0;
}

int main(void) {
  pthread_t thread;
  for (long i = 1; i < N; i++)
    pthread_create(&thread, 0, process, (void *)i);
  process((void *)0);
}
