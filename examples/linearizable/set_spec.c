// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// What a set of small keys does, for --spec, in a sorted list of its own. With ONE it contains 1 at
// first. With ADDS_TWICE adding a key that is there already says that it was added.
//
//   heddle linearizable harris_list.c --spec set_spec.c --functions add,remove=take,contains --init init
//     --arguments keys --operations 1
#include <stdlib.h>

struct node {
  int key;
  struct node *next;
};
#ifdef ONE
static struct node one = {1, 0};
static struct node *first = &one;
#else
static struct node *first;
#endif

static struct node **place_of(int key) {
  struct node **place = &first;
  while (*place && (*place)->key < key)
    place = &(*place)->next;
  return place;
}

int contains(int key) {
  struct node *found = *place_of(key);
  return found && found->key == key;
}

int add(int key) {
  struct node **place = place_of(key);
  if (*place && (*place)->key == key)
#ifdef ADDS_TWICE
    return 1;
#else
    return 0;
#endif
  struct node *fresh = malloc(sizeof *fresh);
  fresh->key = key;
  fresh->next = *place;
  *place = fresh;
  return 1;
}

int remove(int key) {
  struct node **place = place_of(key);
  struct node *found = *place;
  if (!found || found->key != key)
    return 0;
  *place = found->next;
  return 1;
}
