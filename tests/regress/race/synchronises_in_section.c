// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// In an atomic section a thread lets the other one go on, and then writes. The write is ordered before nothing, but the two
// writes never stand side by side.
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>

void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);

static atomic_int flag;
static sem_t turn;
static int x;

static void *first(void *argument) {
  __VERIFIER_atomic_begin();
#ifdef SAFE
  x = 1;
#endif
#ifdef POSTS
  sem_post(&turn);
#else
  flag = 1;
#endif
#ifndef SAFE
  x = 1;
#endif
  __VERIFIER_atomic_end();
  return argument;
}

static void *second(void *argument) {
#ifdef POSTS
  sem_wait(&turn);
  x = 2;
#else
  if (flag)
    x = 2;
#endif
  return argument;
}

int main(void) {
  pthread_t a, b;
  sem_init(&turn, 0, 0);
  pthread_create(&a, 0, first, 0);
  pthread_create(&b, 0, second, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
