// A lock-free stack whose nodes are freed while another pop may read them.
// elimination: pop frees nodes while another pop reads next
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <assert.h>
struct cell {
  struct cell* next;
  int value;
};
static _Atomic(struct cell*) top;
static struct cell* slot;
static atomic_int state; // 0 empty 1 offered 2 taken
static struct cell* keep[4];
static atomic_int kept;
static int try_push(struct cell* c) {
  struct cell* t = atomic_load(&top);
  c->next = t;
  return atomic_compare_exchange_strong(&top, &t, c);
}
static void push(int v) {
  struct cell* c = malloc(sizeof *c);
  c->value = v;
  for (;;) {
    if (try_push(c))
      return;
    int e = 0;
    if (atomic_compare_exchange_strong(&state, &e, 3)) {
      slot = c;
      atomic_store(&state, 1);
      e = 1;
      if (!atomic_compare_exchange_strong(&state, &e, 0)) {
        atomic_store(&state, 0);
        return;
      }
    }
  }
}
static int pop(void) {
  for (;;) {
    struct cell* t = atomic_load(&top);
    if (!t)
      return 0;
    struct cell* n = t->next;
    if (atomic_compare_exchange_strong(&top, &t, n)) {
      int v = t->value;
#ifndef NOFREE
      free(t);
#else
      keep[kept++] = t;
#endif
      return v;
    }
  }
}
static void* p(void* x) {
  pop();
  return 0;
}
int main(void) {
  pthread_t a, b;
  push(1);
  pthread_create(&a, 0, p, 0);
  pthread_create(&b, 0, p, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(top == NULL);
#ifdef NOFREE
  for (int i = 0; i < kept; i++)
    free(keep[i]);
#endif
}
