// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
// A list with marks in its links (Harris): one thread inserts before a node that another one removes, a third walks through.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#define LOAD(place, order) atomic_load_explicit(&(place), memory_order_##order)
#define STORE(place, value, order) atomic_store_explicit(&(place), value, memory_order_##order)
#define FENCE(order) atomic_thread_fence(memory_order_##order)
#include <stdint.h>

struct node {
  int key;
  atomic_uintptr_t next;
};
static struct node head, inserted, removed;

static void *insert(void *argument) {
  (void)argument;
  inserted.key = 2;
  uintptr_t next = LOAD(head.next, acquire);
  STORE(inserted.next, next, relaxed);
  atomic_compare_exchange_strong_explicit(&head.next, &next, (uintptr_t)&inserted, ORDER, memory_order_relaxed);
  return 0;
}

static void *take_out(void *argument) {
  (void)argument;
  uintptr_t next = LOAD(removed.next, acquire);
  if (!atomic_compare_exchange_strong_explicit(&removed.next, &next, next | 1, memory_order_acq_rel, memory_order_relaxed))
    return 0;
  uintptr_t found = (uintptr_t)&removed;
  atomic_compare_exchange_strong_explicit(&head.next, &found, next, memory_order_acq_rel, memory_order_relaxed);
  return 0;
}

int main(void) {
  removed.key = 3;
  atomic_init(&head.next, (uintptr_t)&removed);
  pthread_t one, two;
  pthread_create(&one, 0, insert, 0);
  pthread_create(&two, 0, take_out, 0);
  for (uintptr_t at = LOAD(head.next, acquire); at != 0;) {
    struct node *const node = (struct node *)at;
    assert(node->key == 2 || node->key == 3);
    at = LOAD(node->next, acquire) & ~(uintptr_t)1;
  }
}
