// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// A compare-exchange says whether it succeeded, and what it found: one thread uses the one, the other the other.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
atomic_int x;
int first_won, second_won;
void *first(void *unused) {
  int found = 0;
  if (atomic_compare_exchange_strong(&x, &found, 1))
    first_won = 1;
  else
    assert(found == 2);
  return unused;
}
void *second(void *unused) {
  int found = 0;
  atomic_compare_exchange_strong(&x, &found, 2);
#ifdef BROKEN
  if (found != 2)
#else
  if (found == 0)
#endif
    second_won = 1;
  return unused;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, first, 0);
  pthread_create(&b, 0, second, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(first_won + second_won == 1);
  return 0;
}
