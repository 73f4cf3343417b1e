// A pending store and a compare-exchange of another thread on the same location.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int x, y;
int r1, r2;

static void* thread0(void* unused) {
  atomic_store_explicit(&x, 2, memory_order_relaxed);
  r1 = atomic_load_explicit(&y, memory_order_relaxed);
  return unused;
}
static void* thread1(void* unused) {
  int expected = 0;
  r2 = atomic_compare_exchange_strong_explicit(&x, &expected, 1, memory_order_relaxed,
                                               memory_order_relaxed);
  atomic_store_explicit(&y, 1, memory_order_relaxed);
  return unused;
}

int main(void) {
  pthread_t t0, t1;
  pthread_create(&t0, 0, thread0, 0);
  pthread_create(&t1, 0, thread1, 0);
  pthread_join(t0, 0);
  pthread_join(t1, 0);
#ifdef CHECK
  assert(!(r1 == 1 && r2 == 1 && x == 1));
#endif
  return 0;
}
