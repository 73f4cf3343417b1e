// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// What cannot be exported, one thing for each definition; a pool of blocks, and an access outside of all objects.
#include <pthread.h>
#include <stdlib.h>
#include <time.h>
extern unsigned __VERIFIER_nondet_uint(void);
unsigned x;
int *block;
int array[2];
pthread_mutex_t mutex;
void *first(void *unused) {
#ifdef WIDE
  x = (unsigned)((unsigned long)block / (x + 1UL));
#endif
#ifdef CHOICE
  x = __VERIFIER_nondet_uint();
#endif
#ifdef PIECES
  *(unsigned char *)&x = 1;
  x = x + 1;
#endif
#ifdef FREE
  block = malloc(sizeof(int));
  free(block);
#endif
#ifdef OUTSIDE
  array[x + 2] = 1;
#endif
#ifdef TIMED
  struct timespec until = {0, 0};
  pthread_mutex_timedlock(&mutex, &until);
#endif
#ifdef BITS
  x = x & 6u;
#endif
#ifdef POOL
  for (int i = 0; i < 2; i++) {
    int *made = malloc(sizeof(int));
    *made = i;
    block = made;
  }
#endif
  return unused;
}
int main(void) {
  pthread_t a;
#ifdef LOOP
  for (int i = 0; i < 2; i++)
    pthread_create(&a, 0, first, 0);
#else
  pthread_create(&a, 0, first, 0);
#endif
  pthread_join(a, 0);
  return 0;
}
