// Two pending stores to one location: the thread reads the newer one, always.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int x;
int r1;

static void* thread0(void* unused) {
  atomic_store_explicit(&x, 1, memory_order_relaxed);
  atomic_store_explicit(&x, 2, memory_order_relaxed);
  r1 = atomic_load_explicit(&x, memory_order_relaxed);
  return unused;
}

int main(void) {
  pthread_t t0;
  pthread_create(&t0, 0, thread0, 0);
  pthread_join(t0, 0);
#ifdef CHECK
  assert(!(r1 != 2));
#endif
  return 0;
}
