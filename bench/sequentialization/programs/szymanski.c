// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// B. K. Szymanski, "A simple solution to Lamport's concurrent programming problem with linear wait", ICS 1988, for two
// threads, without fences.
#include "two_threads.h"

volatile int flag[2];

static void enter(int me) {
  int other = 1 - me;
  flag[me] = 1;
  while (flag[other] >= 3) {
  }
  flag[me] = 3;
  if (flag[other] == 1) {
    flag[me] = 2;
    while (flag[other] != 4) {
    }
  }
  flag[me] = 4;
  while (me == 1 && flag[0] >= 2) {
  }
}

static void leave(int me) {
  while (me == 0 && (flag[1] == 2 || flag[1] == 3)) {
  }
  flag[me] = 0;
}
