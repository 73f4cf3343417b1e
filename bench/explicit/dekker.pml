/* Copyright (c) 2026 The Heddle authors.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Dekker's algorithm, ROUNDS times each, one access of a shared variable a step. */
#ifndef ROUNDS
#define ROUNDS 250
#endif
byte wants[2];
byte turn;
byte inside;

active [2] proctype process() {
  byte me, t;
  short round;
  me = _pid;
  do
  :: round < ROUNDS ->
       wants[me] = 1;
       do
       :: t = wants[1 - me];
          if
          :: t == 0 -> break
          :: else ->
               t = turn;
               if
               :: t != me ->
                    wants[me] = 0;
                    do
                    :: t = turn;
                       if
                       :: t == me -> break
                       :: else -> skip
                       fi
                    od;
                    wants[me] = 1
               :: else -> skip
               fi
          fi
       od;
       t = inside; inside = t + 1;
       assert(inside == 1);
       t = inside; inside = t - 1;
       turn = 1 - me;
       wants[me] = 0;
       round++
  :: else -> break
  od
}
