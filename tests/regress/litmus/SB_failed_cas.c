// Store buffering with a compare-exchange that fails in between: failing ones drain too.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int w, x, y, z;
int r1, r2;

static void* thread0(void* unused) {
  atomic_store_explicit(&x, 1, memory_order_relaxed);
  int expected = 7;
  atomic_compare_exchange_strong_explicit(&z, &expected, 8, memory_order_relaxed,
                                               memory_order_relaxed);
  r1 = atomic_load_explicit(&y, memory_order_relaxed);
  return unused;
}
static void* thread1(void* unused) {
  atomic_store_explicit(&y, 1, memory_order_relaxed);
  int expected = 7;
  atomic_compare_exchange_strong_explicit(&w, &expected, 8, memory_order_relaxed,
                                               memory_order_relaxed);
  r2 = atomic_load_explicit(&x, memory_order_relaxed);
  return unused;
}

int main(void) {
  pthread_t t0, t1;
  pthread_create(&t0, 0, thread0, 0);
  pthread_create(&t1, 0, thread1, 0);
  pthread_join(t0, 0);
  pthread_join(t1, 0);
#ifdef CHECK
  assert(!(r1 == 0 && r2 == 0));
#endif
  return 0;
}
