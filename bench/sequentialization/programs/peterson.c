// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// G. L. Peterson, "Myths about the mutual exclusion problem", IPL 12(3), 1981, without fences.
#include "two_threads.h"

volatile int wants[2];
volatile int turn;

static void enter(int me) {
  wants[me] = 1;
  turn = 1 - me;
  while (wants[1 - me] && turn == 1 - me) {
  }
}

static void leave(int me) { wants[me] = 0; }
