// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Numbers of 64 bits (LP64): carries between halves, products, shifts across them, signs, pointers. With BROKEN only the upper half is wrong.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static _Atomic unsigned long total = 0xffffffffUL;
static long below = -1;
static _Atomic(unsigned *) place;
static unsigned items[3] = {5, 6, 7};

static void *first(void *unused) {
  atomic_fetch_add(&total, 1);
  atomic_store(&place, &items[items[0] - 4]);
  return unused;
}
static void *second(void *unused) {
  atomic_fetch_add(&total, 0x1ffffffffUL);
  unsigned *found = atomic_load(&place);
  if (found)
    assert(*found == 6 && found + 1 == &items[2]);
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, first, 0);
  pthread_create(&b, 0, second, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  unsigned long sum = total;
#ifdef BROKEN
  assert(sum == 0x1ffffffffUL);
#else
  assert(sum == 0x2ffffffffUL);
#endif
  assert(sum > 0xffffffffUL && sum * 3 == 0x8fffffffdUL && sum >> 31 == 5 && sum << items[0] == 0x5fffffffe0UL);
  assert(below < 0 && below * (long)items[1] == -6 && below >> 40 == -1 && (unsigned long)below > sum);
  return 0;
}
