// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// A mutex that nobody has written may be destroyed, whatever its bytes are.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

int main(void) {
  pthread_mutex_t* mutex = malloc(sizeof *mutex);
  assert(pthread_mutex_destroy(mutex) == 0);
  free(mutex);
  return 0;
}
