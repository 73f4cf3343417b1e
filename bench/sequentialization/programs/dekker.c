// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Dekker's mutual exclusion (E. W. Dijkstra, "Over de sequentialiteit van procesbeschrijvingen", EWD 35). Without fences a
// flag is still in the store buffer when the other one is read.
#include "two_threads.h"

volatile int wants[2];
volatile int turn;

static void enter(int me) {
  wants[me] = 1;
  while (wants[1 - me]) {
    if (turn != me) {
      wants[me] = 0;
      while (turn != me) {
      }
      wants[me] = 1;
    }
  }
}

static void leave(int me) {
  turn = 1 - me;
  wants[me] = 0;
}
