// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Two threads that enter and leave a section each and look whether they are alone in it.
#pragma once
#include <assert.h>
#include <pthread.h>

static void enter(int me);
static void leave(int me);

volatile int inside;

static void work(int me) {
  enter(me);
  inside = me + 1;
  assert(inside == me + 1);
  leave(me);
}

static void* left(void* unused) {
  work(0);
  return unused;
}

static void* right(void* unused) {
  work(1);
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, left, 0);
  pthread_create(&b, 0, right, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
