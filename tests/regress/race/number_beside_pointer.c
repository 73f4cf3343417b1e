// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Both threads get to the counter through an address that lies beside a number that is computed from
// what memory held: in one object, or, with PASSED, as the arguments that threads start with. LOCKED
// makes it right.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static struct pair {
  int number;
  int *counter;
} *shared;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void count(int *counter) {
#ifdef LOCKED
  pthread_mutex_lock(&mutex);
#endif
  int seen = *counter;
  *counter = seen + 1;
#ifdef LOCKED
  pthread_mutex_unlock(&mutex);
#endif
}

static void *by_object(void *unused) {
  pthread_mutex_lock(&mutex);
  shared->number++;
  pthread_mutex_unlock(&mutex);
  count(shared->counter);
  return unused;
}

static void *by_argument(void *counter) {
  count(counter);
  return 0;
}

static void *takes_number(void *number) {
  return number == 0 ? number : 0;
}

int main(void) {
  pthread_t a, b;
  int *counter = calloc(1, sizeof(int));
#ifdef PASSED
  long *number = malloc(sizeof *number);
  *number = 0;
  ++*number;
  pthread_create(&a, 0, takes_number, (void *)*number);
  pthread_join(a, 0);
  pthread_create(&a, 0, by_argument, counter);
  pthread_create(&b, 0, by_argument, counter);
#else
  shared = malloc(sizeof *shared);
  shared->number = 0;
  shared->counter = counter;
  pthread_create(&a, 0, by_object, 0);
  pthread_create(&b, 0, by_object, 0);
#endif
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(*counter == 2);
  return 0;
}
