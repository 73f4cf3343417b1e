// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// A pointer that is accessed as a whole has one value or the other, never half of each, although it may lie where an
// element of the array beside it does as far as is known: the index is computed.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

struct node {
  unsigned number;
  unsigned element[2];
  unsigned *next;
};

static unsigned word = 1;
static unsigned choice;
static struct node *shared;

static void *writer(void *unused) {
  struct node *node = calloc(1, sizeof *node);
  node->element[__atomic_load_n(&choice, __ATOMIC_RELAXED) & 1u] = 1;
  __atomic_store_n(&node->next, &word, __ATOMIC_RELAXED);
  __atomic_store_n(&shared, node, __ATOMIC_RELAXED);
  return unused;
}

static void *reader(void *unused) {
  struct node *node = __atomic_load_n(&shared, __ATOMIC_RELAXED);
  if (node) {
    unsigned *next = __atomic_load_n(&node->next, __ATOMIC_RELAXED);
#ifdef EMPTY
    assert(next == &word);
#else
    assert(next == 0 || next == &word);
#endif
  }
  return unused;
}

int main(void) {
  pthread_t first, second;
  pthread_create(&first, 0, writer, 0);
  pthread_create(&second, 0, reader, 0);
  pthread_join(first, 0);
  pthread_join(second, 0);
  return 0;
}
