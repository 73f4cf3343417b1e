// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Treiber's stack over a pool of nodes that are used once, with a proof. Nodes have numbers from 1
// on. `made_by` is an auxiliary variable: who has taken a node out of the pool and not yet put it on
// the stack. What is known of places is asserted there. With BROKEN pop takes the top by a plain
// store.
//
//   heddle linearizable treiber_pool.c --functions push,pop --invariant invariant
//     --abstract push=abstract_push,pop=abstract_pop --linearization-point push:45:cas
//     --linearization-point pop:53:read --linearization-point pop:67:cas
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

extern void __VERIFIER_assume(int condition);
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);

#ifndef NODES
#define NODES 2U
#endif
static unsigned used;
static _Atomic unsigned top; // 0: the stack is empty
static int value[NODES];
static unsigned next[NODES];
static pthread_t made_by[NODES];

static int content[NODES]; // of the abstract stack
static unsigned depth;

void push(int v) {
  __VERIFIER_atomic_begin();
  unsigned node = used;
  __VERIFIER_assume(node < NODES);
  used = node + 1;
  made_by[node] = pthread_self();
  __VERIFIER_atomic_end();
  value[node] = v;
  unsigned seen = atomic_load_explicit(&top, memory_order_relaxed);
  int is_done;
  do {
    next[node] = seen;
    __VERIFIER_atomic_begin();
    is_done = atomic_compare_exchange_strong(&top, &seen, node + 1);
    if (is_done)
      made_by[node] = 0;
    __VERIFIER_atomic_end();
  } while (!is_done);
}

int pop(void) {
  unsigned seen = atomic_load_explicit(&top, memory_order_relaxed);
  while (seen) {
    __VERIFIER_atomic_begin();
    assert(seen <= used && made_by[seen - 1] == 0);
    int v = value[seen - 1];
    unsigned after = next[seen - 1];
    __VERIFIER_atomic_end();
    __VERIFIER_atomic_begin();
    assert(seen <= used && made_by[seen - 1] == 0);
#ifdef BROKEN
#define TAKE() (atomic_exchange(&top, after), 1)
#else
#define TAKE() atomic_compare_exchange_strong(&top, &seen, after)
#endif
    int is_done = TAKE();
    __VERIFIER_atomic_end();
    if (is_done)
      return v;
  }
  return -1;
}

void abstract_push(int v) {
  __VERIFIER_assume(depth < NODES);
  content[depth++] = v;
}
int abstract_pop(void) { return depth == 0 ? -1 : content[--depth]; }

/// The nodes from the top on hold the content; all of them are published, and so are all nodes of
/// the pool that nobody is making. Published nodes lead to published ones, made before.
_Bool invariant(void) {
  if (used > NODES || depth > used || top > used)
    return 0;
  for (unsigned i = 0; i < NODES; i++)
    if (i >= used ? made_by[i] != 0 : made_by[i] == 0 && next[i] > used)
      return 0;
  unsigned node = top;
  for (unsigned i = 0; i < NODES; i++) {
    if (i == depth)
      return node == 0;
    if (node == 0 || node > used || made_by[node - 1] != 0 ||
        value[node - 1] != content[depth - 1 - i])
      return 0;
    node = next[node - 1];
  }
  return node == 0;
}
