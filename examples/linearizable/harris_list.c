// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// The sorted linked list of Harris (DISC 2001) as a set: a node is marked in its next field before
// it is unlinked. Nodes are not reused. With BROKEN a removal unlinks the node without marking it,
// and an insertion behind it is lost.
//
//   heddle linearizable harris_list.c --object set --functions add,remove=take,contains --init init
#include <stdatomic.h>
#include <stdlib.h>

struct node {
  int key;
  _Atomic long next; // the address of the next node; the lowest bit marks this one as removed
};
static struct node head = {0, 0}, tail = {100, 0};

void init(void) { head.next = (long)&tail; }

#define LOAD(x) atomic_load_explicit(&(x), memory_order_relaxed)
#define NODE(word) ((struct node *)((word) & ~1L))

static int cas(_Atomic long *place, long expected, long desired) {
  return atomic_compare_exchange_strong(place, &expected, desired);
}

// The first unmarked node with at least that key; *left is the unmarked node before it.
static struct node *search(int key, struct node **left) {
again:;
  struct node *before = &head;
  struct node *here = NODE(LOAD(head.next));
  for (;;) {
    long after = LOAD(here->next);
    while (after & 1) {
      if (!cas(&before->next, (long)here, after & ~1L))
        goto again;
      here = NODE(after);
      after = LOAD(here->next);
    }
    if (here->key >= key) {
      *left = before;
      return here;
    }
    before = here;
    here = NODE(after);
  }
}

int add(int key) {
  struct node *fresh = malloc(sizeof *fresh);
  fresh->key = key;
  for (;;) {
    struct node *left;
    struct node *right = search(key, &left);
    if (right->key == key)
      return 0;
    atomic_store_explicit(&fresh->next, (long)right, memory_order_relaxed);
    if (cas(&left->next, (long)right, (long)fresh))
      return 1;
  }
}

int take(int key) {
  for (;;) {
    struct node *left;
    struct node *right = search(key, &left);
    if (right->key != key)
      return 0;
    long after = LOAD(right->next);
#ifdef BROKEN
    if (cas(&left->next, (long)right, after & ~1L))
      return 1;
#else
    if (!(after & 1) && cas(&right->next, after, after | 1)) {
      cas(&left->next, (long)right, after);
      return 1;
    }
#endif
  }
}

int contains(int key) {
  struct node *here = NODE(LOAD(head.next));
  while (here->key < key)
    here = NODE(LOAD(here->next));
  return here->key == key && !(LOAD(here->next) & 1);
}

// A set to start from that is not empty.
void init_with_one(void) {
  init();
  add(1);
}
