// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// A store at an index that comes as a pointer's number, and handles in plain variables of main that
// only pthread_create writes.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static int data[4];
static _Atomic(int*) shown;

static void* show(void* given) {
  int index = (int)(long)given;
  data[index] = index + 1;
  atomic_store_explicit(&shown, &data[index], ORDER);
  return NULL;
}

static void* look(void* unused) {
  (void)unused;
  int* seen = atomic_load_explicit(&shown, memory_order_acquire);
  if (seen != NULL)
    assert(*seen == 3);
  return NULL;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, show, (void*)2);
  pthread_create(&b, NULL, look, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
}
