// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// A message whose flag is read by an update that acquires and releases.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef ORDER
#define ORDER memory_order_acq_rel
#endif

atomic_int flag;
atomic_int message;

static void *send(void *unused) {
  atomic_store_explicit(&message, 1, memory_order_relaxed);
  atomic_exchange_explicit(&flag, 1, memory_order_acq_rel);
  return unused;
}

static void *receive(void *unused) {
  if (atomic_exchange_explicit(&flag, 2, ORDER) == 1)
    assert(atomic_load_explicit(&message, memory_order_relaxed) == 1);
  return unused;
}

int main(void) {
  pthread_t sender, receiver;
  pthread_create(&sender, 0, send, 0);
  pthread_create(&receiver, 0, receive, 0);
  pthread_join(sender, 0);
  pthread_join(receiver, 0);
  return 0;
}
