// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Lamport's bakery (Lamport 1974) for N threads that enter ROUNDS times each: tickets grow without
// bound where somebody always waits, so the number of rounds keeps the states finite.
#include <assert.h>
#include <pthread.h>

#ifndef N
#define N 3
#endif
#ifndef ROUNDS
#define ROUNDS 2
#endif
volatile int choosing[N];
volatile int ticket[N];
volatile int inside;

static void *process(void *argument) {
  int me = (int)(long)argument;
  for (int round = 0; round < ROUNDS; round++) {
    int k;
    int mine = 0;
    choosing[me] = 1;
    for (k = 0; k < N; k++) {
      int seen = ticket[k];
      if (seen > mine)
        mine = seen;
    }
    mine = mine + 1;
    ticket[me] = mine;
    choosing[me] = 0;
    for (k = 0; k < N; k++) {
      int seen;
      if (k == me)
        continue;
      while (choosing[k])
        ;
      do
        seen = ticket[k];
      while (seen != 0 && (seen < mine || (seen == mine && k < me)));
    }
    inside = inside + 1;
    assert(inside == 1);
    inside = inside - 1;
    ticket[me] = 0;
  }
  return 0;
}

int main(void) {
  pthread_t thread;
  for (long i = 1; i < N; i++)
    pthread_create(&thread, 0, process, (void *)i);
  process((void *)0);
}
