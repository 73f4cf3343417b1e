// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// A local that is used as a pointer beside some that are not, and with NEGATIVE a number below zero.
#include <pthread.h>
int x, y;
int *where = &x;
void *first(void *unused) {
  int *found = where;
  int seen = *found;
  y = seen + 1;
#ifdef NEGATIVE
  x = -1;
#endif
  return unused;
}
int main(void) {
  pthread_t a;
  pthread_create(&a, 0, first, 0);
  pthread_join(a, 0);
  return 0;
}
