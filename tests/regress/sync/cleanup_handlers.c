// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Clean-up handlers: pop(1) calls them, pop(0) does not, the inner one first.
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int counter;

static void give_back(void *argument) {
  pthread_mutex_unlock(argument);
}

static void times_ten(void *argument) {
  *(int *)argument *= 10;
}

static void *worker(void *argument) {
  int own = 1;
  pthread_mutex_lock(&lock);
  pthread_cleanup_push(give_back, &lock);
  pthread_cleanup_push(times_ten, &own);
  own = own + 1;
#ifdef EXIT
  if (argument)
    pthread_exit(0);
#endif
  pthread_cleanup_pop(1);
  counter = counter + own;
  pthread_cleanup_pop(1);
  pthread_cleanup_push(times_ten, &counter);
  pthread_cleanup_pop(0);
  if (argument)
    pthread_exit(0);
  return argument;
}

int main(void) {
  pthread_t one;
  pthread_t other;
  pthread_create(&one, 0, worker, &counter);
  pthread_create(&other, 0, worker, 0);
  pthread_join(one, 0);
  pthread_join(other, 0);
  assert(counter == 40);
#ifdef WRONG
  assert(counter == 4);
#endif
}
