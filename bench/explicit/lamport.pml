/* Copyright (c) 2026 The Heddle authors.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Lamport's fast mutual exclusion for N processes, one access of a shared variable a step. */
#ifndef N
#define N 4
#endif
byte b[N];
byte x;
byte y;
byte inside;

active [N] proctype process() {
  byte me, k, t;
  me = _pid;
start:
  b[me] = 1;
  x = me + 1;
  t = y;
  if
  :: t != 0 ->
       b[me] = 0;
       do
       :: t = y; if :: t == 0 -> break :: else -> skip fi
       od;
       goto start
  :: else -> skip
  fi;
  y = me + 1;
  t = x;
  if
  :: t != me + 1 ->
       b[me] = 0;
       k = 0;
       do
       :: k < N ->
            do
            :: t = b[k]; if :: t == 0 -> break :: else -> skip fi
            od;
            k++
       :: else -> break
       od;
       t = y;
       if
       :: t != me + 1 ->
            do
            :: t = y; if :: t == 0 -> break :: else -> skip fi
            od;
            goto start
       :: else -> skip
       fi
  :: else -> skip
  fi;
  t = inside; inside = t + 1;
  assert(inside == 1);
  t = inside; inside = t - 1;
  y = 0;
  b[me] = 0;
  goto start
}
