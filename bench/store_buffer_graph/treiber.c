// Treiber's stack, nodes in arrays and never reused: threads that push (u) and pop (o).
// FIRST, SECOND and, if there is one, THIRD: the threads' calls, e.g. u o u o.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#define LOAD(a) atomic_load_explicit(&(a), memory_order_relaxed)
#define STORE(a, v) atomic_store_explicit(&(a), (v), memory_order_relaxed)

static atomic_int next[13], value[13]; // node 0 is none
static atomic_int top;

static void push(int node) {
  STORE(value[node], node + 10);
  int old;
  do {
    old = LOAD(top);
    STORE(next[node], old);
  } while (!atomic_compare_exchange_strong_explicit(&top, &old, node, memory_order_relaxed, memory_order_relaxed));
}
static int pop(void) {
  int old, rest;
  do {
    old = LOAD(top);
    if (old == 0)
      return 0;
    rest = LOAD(next[old]);
  } while (!atomic_compare_exchange_strong_explicit(&top, &old, rest, memory_order_relaxed, memory_order_relaxed));
  assert(LOAD(value[old]) == old + 10);
  return old;
}

// What each thread has taken, one bit for each node; told when it ends, so that telling orders nothing before.
static int took[3];
#define u push(++node);
#define o                                                                                                                                \
  do {                                                                                                                                   \
    const int got = pop();                                                                                                               \
    assert(!(mine >> got & 1));                                                                                                          \
    mine |= (1 << got) & ~1;                                                                                                             \
  } while (0);
static void* first(void* unused) {
  int mine = 0, node = 0;
  FIRST
  took[0] = mine;
  return unused;
}
static void* second(void* unused) {
  int mine = 0, node = 4;
  SECOND
  took[1] = mine;
  return unused;
}
#ifdef THIRD
static void* third(void* unused) {
  int mine = 0, node = 8;
  THIRD
  took[2] = mine;
  return unused;
}
#endif
int main(void) {
  pthread_t a, b, c;
  pthread_create(&a, 0, first, 0);
  pthread_create(&b, 0, second, 0);
#ifdef THIRD
  pthread_create(&c, 0, third, 0);
#endif
  pthread_join(a, 0);
  pthread_join(b, 0);
#ifdef THIRD
  pthread_join(c, 0);
#endif
  assert(!(took[0] & took[1]) && !(took[0] & took[2]) && !(took[1] & took[2]));
  return 0;
}
