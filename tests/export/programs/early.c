// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Each thread reads its own store before it reaches memory, and the other's not yet.
#include <assert.h>
#include <pthread.h>
int x, y, r1, r2, r3, r4;
void *first(void *unused) {
  x = 1;
  r1 = x;
  r2 = y;
  return unused;
}
void *second(void *unused) {
  y = 1;
  r3 = y;
  r4 = x;
  return unused;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, first, 0);
  pthread_create(&b, 0, second, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(r1 == 1 && r3 == 1);
#ifndef OWN
  assert(r2 == 1 || r4 == 1);
#endif
  return 0;
}
