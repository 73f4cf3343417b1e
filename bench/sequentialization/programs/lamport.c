// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// The fast path of L. Lamport, "A fast mutual exclusion algorithm", TOCS 5(1), 1987, for two threads, without fences.
#include "two_threads.h"

volatile int x, y;
volatile int wants[2];

static void enter(int me) {
  for (;;) {
    wants[me] = 1;
    x = me + 1;
    if (y != 0) {
      wants[me] = 0;
      while (y != 0) {
      }
      continue;
    }
    y = me + 1;
    if (x == me + 1)
      return;
    wants[me] = 0;
    while (wants[1 - me]) {
    }
    if (y == me + 1)
      return;
    while (y != 0) {
    }
  }
}

static void leave(int me) {
  y = 0;
  wants[me] = 0;
}
