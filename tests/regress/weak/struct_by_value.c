// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Functions with structures of their own, passed and returned by value, called by two threads.
#include <assert.h>
#include <pthread.h>

struct triple {
  int first, second;
  long third;
};

static struct triple shared;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static struct triple get(void) {
  struct triple copy;
#ifndef UNLOCKED
  pthread_mutex_lock(&mutex);
#endif
  copy = shared;
#ifndef UNLOCKED
  pthread_mutex_unlock(&mutex);
#endif
  return copy;
}

static void set(struct triple value) {
  pthread_mutex_lock(&mutex);
  shared = value;
  pthread_mutex_unlock(&mutex);
}

static void *writer(void *unused) {
  set((struct triple){1, 1, 1});
  set((struct triple){2, 2, 2});
  return unused;
}

static void *reader(void *unused) {
  struct triple seen = get();
  assert(seen.first == seen.second && seen.first == seen.third);
  return unused;
}

int main(void) {
  pthread_t first, second;
  pthread_create(&first, 0, writer, 0);
  pthread_create(&second, 0, reader, 0);
  pthread_join(first, 0);
  pthread_join(second, 0);
  return 0;
}
