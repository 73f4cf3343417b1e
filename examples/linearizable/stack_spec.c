// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// What a stack does, for --spec: the functions are run one after the other. With TWO_PLACES it has
// room for two values only; a push onto a full one cannot happen (it would have to wait).
//
//   heddle linearizable treiber_stack.c --spec stack_spec.c --functions push,pop
extern void __VERIFIER_assume(int);

#ifdef TWO_PLACES
#define PLACES 2
#else
#define PLACES 16
#endif

static int values[PLACES];
static int count;

void push(int value) {
  __VERIFIER_assume(count < PLACES);
  values[count++] = value;
}

int pop(void) {
  if (count == 0)
    return -1;
  int value = values[--count];
  values[count] = 0; // what is not there any more is forgotten: equal contents, equal memory
  return value;
}
