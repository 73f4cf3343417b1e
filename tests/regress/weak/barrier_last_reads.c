// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// What the threads wrote before a barrier is read by all after it, whoever comes last.
#include <assert.h>
#include <pthread.h>

pthread_barrier_t barrier;
int written[2];

static void *work(void *argument) {
  int me = argument != 0;
  written[me] = 1;
  pthread_barrier_wait(&barrier);
  assert(written[!me] == 1);
  return 0;
}

int main(void) {
  pthread_t other;
  pthread_barrier_init(&barrier, 0, 2);
  pthread_create(&other, 0, work, &other);
  work(0);
  pthread_join(other, 0);
  return 0;
}
