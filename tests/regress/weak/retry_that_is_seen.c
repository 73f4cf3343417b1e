// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// A loop that tells what it is about to install and tries again if somebody else was faster. A turn
// that fails does nothing but store, and may be left out, but not if somebody finds what it stored.
// TURNS: how many of them in a row the other thread finds. Without it, only what the last turn has
// told is found, at the end.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int top, told;
#ifndef TURNS
static int changes;
#endif
#ifdef OTHERS
static atomic_int others; // what is told is in one of two places
#endif

static void *install(void *unused) {
  for (;;) {
    int found = atomic_load(&top);
#ifdef OTHERS
    atomic_store(found % 2 == 0 ? &told : &others, found + 1);
#else
    atomic_store(&told, found + 1);
#endif
    if (atomic_compare_exchange_strong(&top, &found, 100))
      return unused;
  }
}

static void *disturb(void *unused) {
#ifdef TURNS
  int seen = 0;
  for (int i = 0; i < TURNS; i++) {
#ifdef OTHERS
    if (atomic_load(i % 2 == 0 ? &told : &others) == i + 1)
#else
    if (atomic_load(&told) == i + 1)
#endif
      seen++;
    atomic_store(&top, i + 1);
  }
  assert(seen != TURNS);
#else
  for (int i = 0; i < 2; i++) {
    int found = i;
    if (atomic_compare_exchange_strong(&top, &found, i + 1))
      changes++;
  }
#endif
  return unused;
}

int main(void) {
  pthread_t one, other;
  pthread_create(&one, 0, install, 0);
  pthread_create(&other, 0, disturb, 0);
  pthread_join(one, 0);
  pthread_join(other, 0);
#ifndef TURNS
  assert(atomic_load(&top) == 100 && atomic_load(&told) == changes + 1);
#endif
}
