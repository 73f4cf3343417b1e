// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// A queue lock (Craig, 1993) whose nodes are handed on: who waits does so at the node of the thread
// before it, a heap block or the first one, which only the exchange tells. Without ORDERED the next
// holder need not see what the last one did.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct node {
  atomic_int is_held;
};

#ifdef ORDERED
#define RELEASE memory_order_release
#else
#define RELEASE memory_order_relaxed
#endif

static struct node first;
static _Atomic(struct node *) last = &first;
static atomic_int count;

static void *enter(void *unused) {
  struct node *own = malloc(sizeof *own);
  atomic_store_explicit(&own->is_held, 1, memory_order_relaxed);
  struct node *before = atomic_exchange_explicit(&last, own, memory_order_acq_rel);
  while (atomic_load_explicit(&before->is_held, memory_order_acquire))
    ;
  int seen = atomic_load_explicit(&count, memory_order_relaxed);
  atomic_store_explicit(&count, seen + 1, memory_order_relaxed);
  atomic_store_explicit(&own->is_held, 0, RELEASE);
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, enter, 0);
  pthread_create(&b, 0, enter, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(count == 2);
  return 0;
}
