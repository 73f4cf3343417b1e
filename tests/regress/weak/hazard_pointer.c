// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// A reader announces the node it uses before it looks again whether it is still the current one
// (Michael 2004); who has replaced a node frees it when nobody announces it.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#ifdef WEAK
#define LOOK memory_order_acquire
#define ANNOUNCE memory_order_release
#else
#define LOOK memory_order_seq_cst
#define ANNOUNCE memory_order_seq_cst
#endif

struct node {
  int value;
};
static _Atomic(struct node*) current;
static _Atomic(struct node*) hazard;

static void* reader(void* unused) {
  (void)unused;
  struct node* found;
  do {
    found = atomic_load_explicit(&current, LOOK);
    atomic_store_explicit(&hazard, found, ANNOUNCE);
  } while (found != atomic_load_explicit(&current, LOOK));
  const int value = found->value;
  assert(value == 1 || value == 2);
  atomic_store_explicit(&hazard, NULL, memory_order_release);
  return NULL;
}

static void* writer(void* unused) {
  (void)unused;
  struct node* next = malloc(sizeof *next);
  next->value = 2;
  struct node* old = atomic_exchange(&current, next);
  while (atomic_load(&hazard) == old) {
  }
  free(old);
  return NULL;
}

int main(void) {
  struct node* first = malloc(sizeof *first);
  first->value = 1;
  atomic_init(&current, first);
  pthread_t threads[2];
  pthread_create(&threads[0], NULL, reader, NULL);
  pthread_create(&threads[1], NULL, writer, NULL);
  pthread_join(threads[0], NULL);
  pthread_join(threads[1], NULL);
  free(atomic_load(&current));
}
