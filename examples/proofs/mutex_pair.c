// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// A counter that is kept twice, behind a mutex, with a proof. While somebody has the mutex the copies
// may differ: its first word, in which glibc has __data.__lock, is 0 when nobody has. With BROKEN the
// increment goes on where it did not get the mutex, with EARLY it gives it back too early, with TWICE
// get gives back what it has not taken.
//
//   heddle linearizable mutex_pair.c --functions increment,get --invariant invariant
//     --abstract increment=abstract_increment,get=abstract_get
//     --linearization-point increment:26:flush --linearization-point get:40:read
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static unsigned count;
static unsigned copy;
static unsigned abstract_count;

void increment(void) {
#ifdef BROKEN
  pthread_mutex_trylock(&mutex);
#else
  pthread_mutex_lock(&mutex);
#endif
  const unsigned seen = count;
  count = seen + 1;
#ifdef EARLY
  pthread_mutex_unlock(&mutex);
#endif
  copy = seen + 1;
#ifndef EARLY
  pthread_mutex_unlock(&mutex);
#endif
}

unsigned get(void) {
#ifndef TWICE
  pthread_mutex_lock(&mutex);
#endif
  const unsigned seen = count;
  pthread_mutex_unlock(&mutex);
  return seen;
}

void abstract_increment(void) { ++abstract_count; }
unsigned abstract_get(void) { return abstract_count; }

_Bool invariant(void) {
  return count == abstract_count && (mutex.__data.__lock != 0 || copy == count);
}
