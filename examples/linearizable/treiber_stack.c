// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Treiber's stack (1986), without reuse of nodes. A push is published by a compare-and-swap, which
// empties the store buffer: right under SC, TSO and PSO. With BROKEN pop takes the top by a plain
// store, and two pops can take the same node.
//
//   heddle linearizable treiber_stack.c --object stack --functions push,pop
#include <stdatomic.h>
#include <stdlib.h>

struct node {
  int value;
  struct node *next;
};
static _Atomic(struct node *) top;

void push(int value) {
  struct node *node = malloc(sizeof *node);
  node->value = value;
  struct node *seen = atomic_load_explicit(&top, memory_order_relaxed);
  do {
    node->next = seen;
  } while (!atomic_compare_exchange_strong(&top, &seen, node));
}

int pop(void) {
  struct node *seen = atomic_load_explicit(&top, memory_order_relaxed);
  while (seen) {
#ifdef BROKEN
    atomic_store_explicit(&top, seen->next, memory_order_relaxed);
    return seen->value;
#else
    if (atomic_compare_exchange_strong(&top, &seen, seen->next))
      return seen->value;
#endif
  }
  return -1;
}
