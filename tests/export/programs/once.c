// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// pthread_once calls through a pointer, and so do the threads, a function that is chosen when they run. With BROKEN each thread has a control of its own.
#include <assert.h>
#include <pthread.h>

static pthread_once_t control[2] = {PTHREAD_ONCE_INIT, PTHREAD_ONCE_INIT};
static int made;
static int number;
static void make_one(void) { made = made + 1; }
static void make_other(void) {
  made = made + 1;
  number = 7;
}
static void (*const makers[2])(void) = {make_one, make_other};

static void *first(void *unused) {
  pthread_once(&control[0], makers[0]);
  assert(made == 1);
  return unused;
}
static void *second(void *unused) {
#ifdef BROKEN
  pthread_once(&control[1], makers[1]);
#else
  pthread_once(&control[0], makers[1]);
#endif
  assert(made == 1);
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, first, 0);
  pthread_create(&b, 0, second, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(number == 0 || number == 7);
  return 0;
}
