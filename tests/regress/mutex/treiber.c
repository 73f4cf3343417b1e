// Treiber's stack without reuse of nodes: correct under every model, because each operation ends in a compare-exchange.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#define LOAD(a) atomic_load_explicit(&(a), memory_order_relaxed)
#define STORE(a, v) atomic_store_explicit(&(a), (v), memory_order_relaxed)
#define FULL_FENCE() atomic_thread_fence(memory_order_seq_cst)
#define STORE_STORE_FENCE() atomic_thread_fence(memory_order_release)


struct node {
  struct node* _Atomic next;
  int value;
};
static struct node nodes[3];
static struct node* _Atomic top;

static void push(int value) {
  struct node* n = &nodes[value];
  n->value = value;
  struct node* old;
  do {
    old = LOAD(top);
    STORE(n->next, old);
  } while (!atomic_compare_exchange_strong_explicit(&top, &old, n, memory_order_relaxed, memory_order_relaxed));
}
static int pop(void) {
  struct node* old;
  struct node* next;
  do {
    old = LOAD(top);
    if (old == 0)
      return 0;
    next = LOAD(old->next);
  } while (!atomic_compare_exchange_strong_explicit(&top, &old, next, memory_order_relaxed, memory_order_relaxed));
  return old->value;
}

static atomic_int taken[3];
static void take(int value) {
  assert(value == 1 || value == 2); // each thread has pushed before it pops
  assert(atomic_fetch_add(&taken[value], 1) == 0);
}
static void* first(void* unused) {
  push(1);
  take(pop());
  return unused;
}
static void* second(void* unused) {
  push(2);
  take(pop());
  return unused;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, first, 0);
  pthread_create(&b, 0, second, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(LOAD(top) == 0);
  return 0;
}
