/* Copyright (c) 2026 The Heddle authors.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Lamport's bakery for N processes that enter ROUNDS times each, one access of a shared variable a step. */
#ifndef N
#define N 3
#endif
#ifndef ROUNDS
#define ROUNDS 2
#endif
byte choosing[N];
byte ticket[N];
byte inside;

active [N] proctype process() {
  byte me, k, t, mine, round;
  me = _pid;
  do
  :: round < ROUNDS ->
       mine = 0;
       choosing[me] = 1;
       k = 0;
       do
       :: k < N ->
            t = ticket[k];
            if :: t > mine -> mine = t :: else -> skip fi;
            k++
       :: else -> break
       od;
       mine++;
       ticket[me] = mine;
       choosing[me] = 0;
       k = 0;
       do
       :: k < N ->
            if
            :: k != me ->
                 do
                 :: t = choosing[k]; if :: t == 0 -> break :: else -> skip fi
                 od;
                 do
                 :: t = ticket[k];
                    if
                    :: t == 0 || t > mine || (t == mine && k > me) -> break
                    :: else -> skip
                    fi
                 od
            :: else -> skip
            fi;
            k++
       :: else -> break
       od;
       t = inside; inside = t + 1;
       assert(inside == 1);
       t = inside; inside = t - 1;
       ticket[me] = 0;
       round++
  :: else -> break
  od
}
