// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// The early-read test through pointers that are loaded anew: which store is pending for which load is only known when it runs.
#include <assert.h>
#include <pthread.h>
int x, y, r1, r2, r3, r4;
int *px = &x, *py = &y;
void *first(void *unused) {
  *px = 1;
  r1 = *px;
  r2 = *py;
  return unused;
}
void *second(void *unused) {
  *py = 1;
  r3 = *py;
  r4 = *px;
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
