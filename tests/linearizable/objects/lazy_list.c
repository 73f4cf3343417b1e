// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// The list of Heller and others (OPODIS 2005) as a set: locks for two nodes, and a mark before a node is
// unlinked. BROKEN: nobody looks at marks, and what is put behind a node that is gone is lost.
#include <stdatomic.h>
#include <pthread.h>
#define LOAD(x) atomic_load_explicit(&(x), memory_order_relaxed)
#define STORE(x, v) atomic_store_explicit(&(x), (v), memory_order_relaxed)
// Node 0 is the head (key 0), node 1 the tail (key 100); others are taken in turn.
static int key[6] = {0, 100};
static _Atomic int next[6] = {1, 0};
static _Atomic int marked[6];
#define FREE PTHREAD_MUTEX_INITIALIZER
static pthread_mutex_t lock[6] = {FREE, FREE, FREE, FREE, FREE, FREE};
static _Atomic int used = 2;
static int valid(int before, int here) {
#ifdef BROKEN
  return LOAD(next[before]) == here;
#else
  return !LOAD(marked[before]) && !LOAD(marked[here]) && LOAD(next[before]) == here;
#endif
}
static void find(int k, int *before, int *here) {
  for (;;) {
    *before = 0;
    *here = LOAD(next[0]);
    while (key[*here] < k) {
      *before = *here;
      *here = LOAD(next[*here]);
    }
    pthread_mutex_lock(&lock[*before]);
    pthread_mutex_lock(&lock[*here]);
    if (valid(*before, *here))
      return;
    pthread_mutex_unlock(&lock[*here]);
    pthread_mutex_unlock(&lock[*before]);
  }
}
int add(int k) {
  int before, here;
  find(k, &before, &here);
  int added = key[here] != k;
  if (added) {
    int node = atomic_fetch_add(&used, 1);
    key[node] = k;
    STORE(next[node], here);
    STORE(next[before], node);
  }
  pthread_mutex_unlock(&lock[here]);
  pthread_mutex_unlock(&lock[before]);
  return added;
}
int take(int k) {
  int before, here;
  find(k, &before, &here);
  int removed = key[here] == k;
  if (removed) {
    STORE(marked[here], 1);
    STORE(next[before], LOAD(next[here]));
  }
  pthread_mutex_unlock(&lock[here]);
  pthread_mutex_unlock(&lock[before]);
  return removed;
}
int contains(int k) {
  int here = LOAD(next[0]);
  while (key[here] < k)
    here = LOAD(next[here]);
  return key[here] == k && !LOAD(marked[here]);
}
void init_with_one(void) { add(1); }
