// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// A thread asserts something about what it has read and stored itself, while its stores are pending.
#include <assert.h>
#include <pthread.h>

static int x;
static int seen;
static int other;

static void* writer(void* argument) {
  x = 1;
  x = 0;
  return argument;
}
static void* reader(void* argument) {
  seen = x;
  other = 1;
  assert(seen == 0 || seen == 1);
  return argument;
}

int main(void) {
  pthread_t first;
  pthread_t second;
  pthread_create(&first, NULL, writer, NULL);
  pthread_create(&second, NULL, reader, NULL);
  pthread_join(first, NULL);
  pthread_join(second, NULL);
  return other - 1;
}
