// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Treiber's stack, pushed to by two threads. BROKEN: the push does not compare.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
struct node {
  struct node *next;
  int value;
};
struct node *top;
static void push(int value) {
  struct node *made = malloc(sizeof(struct node));
  made->value = value;
#ifdef BROKEN
  made->next = top;
  top = made;
#else
  struct node *old;
  do {
    old = top;
    made->next = old;
  } while (!__sync_bool_compare_and_swap(&top, old, made));
#endif
}
void *first(void *unused) {
  push(1);
  return unused;
}
void *second(void *unused) {
  push(2);
  return unused;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, first, 0);
  pthread_create(&b, 0, second, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  struct node *at = top;
  int sum = 0;
  while (at) {
    sum = sum + at->value;
    at = at->next;
  }
  assert(sum == 3);
  return 0;
}
