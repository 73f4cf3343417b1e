// A weak compare-exchange that fails for no reason leaves in `top_seen` what was there before: such
// a turn is none, where it does not matter which read a value was taken from.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

#ifdef RELAXED
#define RELEASE memory_order_relaxed
#else
#define RELEASE memory_order_release
#endif

struct node {
  int value;
  struct node* next;
};

struct node nodes[2];
_Atomic(struct node*) top;

static void push(struct node* node) {
  struct node* top_seen = atomic_load_explicit(&top, memory_order_relaxed);
  do
    node->next = top_seen;
  while (!atomic_compare_exchange_strong_explicit(
      &top, &top_seen, node, RELEASE, memory_order_relaxed));
}

static struct node* pop(void) {
  struct node* top_seen = atomic_load_explicit(&top, memory_order_acquire);
  while (top_seen != NULL &&
         !atomic_compare_exchange_weak_explicit(
             &top, &top_seen, top_seen->next, memory_order_acquire, memory_order_acquire))
    ;
  return top_seen;
}

void* pusher(void* unused) {
  nodes[0].value = 5;
  push(&nodes[0]);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, pusher, NULL);
  struct node* node = pop();
  if (node != NULL)
    assert(node->value == 5);
  pthread_join(thread, NULL);
  return 0;
}
