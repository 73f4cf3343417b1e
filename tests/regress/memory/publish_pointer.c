// A pointer is published after what it points through is set: under PSO it may arrive first.
#include <pthread.h>
#include <stdatomic.h>
int x;
int* _Atomic inner;
atomic_int ready;
static void* reader(void* unused) {
  if (atomic_load_explicit(&ready, memory_order_relaxed))
    *atomic_load_explicit(&inner, memory_order_relaxed) = 1;
  return unused;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, reader, 0);
  atomic_store_explicit(&inner, &x, memory_order_relaxed);
  atomic_store_explicit(&ready, 1, memory_order_relaxed);
  pthread_join(t, 0);
  return 0;
}
