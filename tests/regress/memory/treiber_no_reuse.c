// The same stack if malloc never gives a freed block again: no ABA, but old->next of a freed node is still read.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

void reach_error(void);

struct node {
  struct node* next;
};
static struct node* _Atomic top;
static atomic_int popped;

static void push(struct node* n) {
  struct node* old = atomic_load(&top);
  do
    n->next = old;
  while (!atomic_compare_exchange_strong(&top, &old, n));
}
static struct node* pop(void) {
  struct node* old = atomic_load(&top);
  while (old != 0 && !atomic_compare_exchange_strong(&top, &old, old->next))
    ;
  if (old != 0)
    atomic_fetch_add(&popped, 1);
  return old;
}

static void* first(void* unused) {
  pop();
  return unused;
}
static void* second(void* unused) {
  struct node* a = pop();
  struct node* b = pop();
  free(a);
  free(b);
  push(malloc(sizeof(struct node))); // may be the block that `first` still has in hand
  return unused;
}
int main(void) {
  pthread_t a, b;
  push(malloc(sizeof(struct node)));
  push(malloc(sizeof(struct node)));
  pthread_create(&a, 0, first, 0);
  pthread_create(&b, 0, second, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  // Three nodes were pushed: the stack is empty exactly if three were popped.
  if ((atomic_load(&popped) == 3) != (atomic_load(&top) == 0))
    reach_error();
  return 0;
}
