// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Dekker's algorithm (Dijkstra 1965), each of two threads ROUNDS times.
#include <assert.h>
#include <pthread.h>

#ifndef ROUNDS
#define ROUNDS 250
#endif
volatile int wants[2];
volatile int turn;
volatile int inside;

static void *process(void *argument) {
  int me = (int)(long)argument;
  for (int round = 0; round < ROUNDS; round++) {
    wants[me] = 1;
    while (wants[1 - me]) {
      if (turn != me) {
        wants[me] = 0;
        while (turn != me)
          ;
        wants[me] = 1;
      }
    }
    inside = inside + 1;
    assert(inside == 1);
    inside = inside - 1;
    turn = 1 - me;
    wants[me] = 0;
  }
  return 0;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, process, (void *)1);
  process((void *)0);
  pthread_join(thread, 0);
}
