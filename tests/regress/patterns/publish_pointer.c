// A structure is replaced by publishing a pointer to a new one.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <assert.h>
struct config {
  int a, b;
};
#ifdef PLAIN
struct config* volatile current;
#define PUBLISH(p) (current = (p))
#define READ() (current)
#else
_Atomic(struct config*) current;
#define PUBLISH(p) atomic_store_explicit(&current, (p), memory_order_release)
#define READ() atomic_load_explicit(&current, memory_order_acquire)
#endif
void* updater(void* arg) {
  struct config* n = malloc(sizeof *n);
  n->a = 7;
  n->b = 7;
  struct config* old = READ();
  PUBLISH(n);
#ifdef FREE
  free(old);
#endif
  return 0;
}
void* reader(void* arg) {
  struct config* c = READ();
  if (c)
    assert(c->a == c->b);
  return 0;
}
int main(void) {
  struct config* first = calloc(1, sizeof *first);
  PUBLISH(first);
  pthread_t u, r;
  pthread_create(&u, 0, updater, 0);
  pthread_create(&r, 0, reader, 0);
  pthread_join(u, 0);
  pthread_join(r, 0);
#ifndef FREE
  free(first);
#endif
  free(READ());
  return 0;
}
