// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Waiting for a flag in a loop that begins with a fence, of its own or one that a seq_cst load becomes (Power).
#include <pthread.h>
#include <stdatomic.h>

static atomic_int flag;

static void *wait(void *argument) {
  (void)argument;
#ifdef FENCE
  do
    atomic_thread_fence(memory_order_seq_cst);
  while (!atomic_load_explicit(&flag, memory_order_relaxed));
#else
  while (!atomic_load(&flag))
    ;
#endif
  return 0;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, wait, 0);
#ifdef SET
  atomic_store(&flag, 1);
#endif
  pthread_join(thread, 0);
}
