/* Copyright (c) 2026 The Heddle authors.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Szymanski's algorithm for N processes, ROUNDS times each, one access of a shared variable a step. */
#ifndef N
#define N 3
#endif
#ifndef ROUNDS
#define ROUNDS 8
#endif
byte flag[N];
byte inside;

active [N] proctype process() {
  byte me, k, t, found, round;
  me = _pid;
  do
  :: round < ROUNDS ->
       flag[me] = 1;
       k = 0;
       do
       :: k < N ->
            do
            :: t = flag[k]; if :: t < 3 -> break :: else -> skip fi
            od;
            k++
       :: else -> break
       od;
       flag[me] = 3;
       found = 0;
       k = 0;
       do
       :: k < N -> t = flag[k]; if :: t == 1 -> found = 1 :: else -> skip fi; k++
       :: else -> break
       od;
       if
       :: found ->
            flag[me] = 2;
            found = 0;
            do
            :: found == 0 ->
                 k = 0;
                 do
                 :: k < N -> t = flag[k]; if :: t == 4 -> found = 1 :: else -> skip fi; k++
                 :: else -> break
                 od
            :: else -> break
            od
       :: else -> skip
       fi;
       flag[me] = 4;
       k = 0;
       do
       :: k < me ->
            do
            :: t = flag[k]; if :: t < 2 -> break :: else -> skip fi
            od;
            k++
       :: else -> break
       od;
       t = inside; inside = t + 1;
       assert(inside == 1);
       t = inside; inside = t - 1;
       k = me + 1;
       do
       :: k < N ->
            do
            :: t = flag[k]; if :: t != 2 && t != 3 -> break :: else -> skip fi
            od;
            k++
       :: else -> break
       od;
       flag[me] = 0;
       round++
  :: else -> break
  od
}
