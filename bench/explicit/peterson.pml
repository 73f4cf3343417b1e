/* Copyright (c) 2026 The Heddle authors.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Peterson's filter lock for N processes; one access of a shared variable a step, as in peterson.c. */
#ifndef N
#define N 4
#endif
byte level[N];
byte last[N];
byte inside;

active [N] proctype process() {
  byte me, l, k, t;
  me = _pid;
again:
  l = 1;
  do
  :: l < N ->
       level[me] = l;
       last[l] = me;
       k = 0;
       do
       :: k < N ->
            if
            :: k == me -> skip
            :: else ->
                 do
                 :: t = level[k];
                    if
                    :: t < l -> break
                    :: else -> t = last[l];
                       if
                       :: t != me -> break
                       :: else -> skip
                       fi
                    fi
                 od
            fi;
            k++
       :: else -> break
       od;
       l++
  :: else -> break
  od;
  t = inside; inside = t + 1;
  assert(inside == 1);
  t = inside; inside = t - 1;
  level[me] = 0;
  goto again
}
