// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// A ticket lock. BROKEN: the ticket is drawn in two steps.
#include <assert.h>
#include <pthread.h>
unsigned char next, serving;
int inside;
static void work(void) {
#ifdef BROKEN
  unsigned char mine = next;
  next = mine + 1;
#else
  unsigned char mine = __atomic_fetch_add(&next, 1, __ATOMIC_RELAXED);
#endif
  while (__atomic_load_n(&serving, __ATOMIC_ACQUIRE) != mine)
    ;
  inside = inside + 1;
  assert(inside == 1);
  inside = inside - 1;
  __atomic_store_n(&serving, mine + 1, __ATOMIC_RELEASE);
}
void *first(void *unused) {
  work();
  return unused;
}
void *second(void *unused) {
  work();
  return unused;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, first, 0);
  pthread_create(&b, 0, second, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
