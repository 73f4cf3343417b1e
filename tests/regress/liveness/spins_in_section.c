// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Nobody can set the flag while the thread that waits for it keeps all others back.
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);

static atomic_int flag;

static void* work(void* unused) {
  flag = 1;
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, work, NULL);
#ifdef BEFORE
  while (!flag) {
  }
#endif
  __VERIFIER_atomic_begin();
  while (!flag) {
  }
  __VERIFIER_atomic_end();
  pthread_join(thread, NULL);
  return 0;
}
