// Treiber's stack with nodes that are freed: between reading the top and the compare-exchange, the top can be popped, freed
// and pushed again from the same memory (the ABA problem), and the stack then points to a freed node.
// heddle verify examples/treiber_aba.c
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct node {
  int value;
  struct node *next;
};

_Atomic(struct node *) top;

static void push(int value) {
  struct node *fresh = malloc(sizeof *fresh);
  fresh->value = value;
  struct node *old = atomic_load(&top);
  do {
    fresh->next = old;
  } while (!atomic_compare_exchange_strong(&top, &old, fresh));
}

static int pop(void) {
  struct node *old = atomic_load(&top);
  while (old != NULL) {
    struct node *next = old->next;
    if (atomic_compare_exchange_strong(&top, &old, next)) {
      int value = old->value;
      free(old);
      return value;
    }
  }
  return 0;
}

static int pushed, taken; // by the other thread; main looks after joining it

static void *other(void *unused) {
  if (pop())
    taken++;
  if (pop())
    taken++;
  push(3);
  pushed++;
  return unused;
}

int main(void) {
  pthread_t thread;
  push(1);
  push(2);
  pthread_create(&thread, 0, other, 0);
  int value = pop();
  pthread_join(thread, 0);
  int left = 2 + pushed - taken - (value != 0);
  assert((atomic_load(&top) == NULL) == (left == 0));
  return 0;
}
