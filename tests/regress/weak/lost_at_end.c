// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// What nothing points to when main returns is lost; what is left is not cleaned up.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct node {
  struct node *next;
};

static _Atomic(struct node *) list;

static void *worker(void *unused) {
  (void)unused;
  struct node *first = malloc(sizeof *first);
  struct node *second = malloc(sizeof *second);
  second->next = NULL;
  first->next = second;
  atomic_store_explicit(&list, first, memory_order_release);
  return NULL;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, worker, NULL);
#ifndef UNJOINED
  pthread_join(thread, NULL);
#endif
#ifdef CUT
  atomic_store_explicit(&list, NULL, memory_order_relaxed);
#endif
#ifdef FREES
  struct node *first = atomic_load_explicit(&list, memory_order_relaxed);
#if FREES > 1
  free(first->next);
#endif
  free(first);
#endif
  return 0;
}
