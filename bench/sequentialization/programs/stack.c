// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// A bounded stack behind a lock. BROKEN: what was pushed is counted after the lock was given back, so that a pop may find
// the stack empty although the flag says that something is there.
#include <assert.h>
#include <pthread.h>

#ifndef SIZE
#define SIZE 2
#endif

static int cells[SIZE];
static unsigned top;
static volatile int is_filled;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void push(int value) {
  pthread_mutex_lock(&lock);
  cells[top % SIZE] = value;
#ifdef BROKEN
  is_filled = 1;
  pthread_mutex_unlock(&lock);
  pthread_mutex_lock(&lock);
#endif
  top++;
  is_filled = 1;
  pthread_mutex_unlock(&lock);
}

static void *producer(void *unused) {
  for (int i = 0; i < SIZE; i++)
    push(i + 1);
  return unused;
}

static void *consumer(void *unused) {
  pthread_mutex_lock(&lock);
  if (is_filled) {
    assert(top > 0);
    top--;
    assert(cells[top % SIZE] != 0);
  }
  pthread_mutex_unlock(&lock);
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, producer, 0);
  pthread_create(&b, 0, consumer, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
