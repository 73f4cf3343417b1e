// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
// Data that are handed on by a semaphore, a barrier or pthread_once. BAD hands them on too early, VALUE looks at the
// semaphore instead of waiting.
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

int data;
sem_t full;
pthread_barrier_t meeting;
pthread_once_t once = PTHREAD_ONCE_INIT;

void set(void) {
  ++data;
}

void* other(void* unused) {
#if defined(SEMAPHORE)
#ifndef BAD
  data = 1;
#endif
  sem_post(&full);
#ifdef BAD
  data = 1;
#endif
#elif defined(BARRIER)
#ifndef BAD
  data = 1;
#endif
  pthread_barrier_wait(&meeting);
#ifdef BAD
  data = 1;
#endif
#else
#ifdef BAD
  set();
#else
  pthread_once(&once, set);
#endif
#endif
  return 0;
}

int main(void) {
  pthread_t thread;
  sem_init(&full, 0, 0);
  pthread_barrier_init(&meeting, 0, 2);
  pthread_create(&thread, 0, other, 0);
#if defined(VALUE)
  int value = 0;
  sem_getvalue(&full, &value);
  if (value == 1)
    assert(data == 1);
#elif defined(TRY)
  if (sem_trywait(&full) == 0)
    assert(data == 1);
#elif defined(SEMAPHORE)
  sem_wait(&full);
  assert(data == 1);
#elif defined(BARRIER)
  pthread_barrier_wait(&meeting);
  assert(data == 1);
#else
  pthread_once(&once, set);
  assert(data == 1);
#endif
  pthread_join(thread, 0);
  return 0;
}
