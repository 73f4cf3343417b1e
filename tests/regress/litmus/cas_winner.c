// Two compare-exchanges from 0: exactly one wins.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int x;
int r1, r2;

static void* thread0(void* unused) {
  int expected = 0;
  r1 = atomic_compare_exchange_strong_explicit(&x, &expected, 1, memory_order_relaxed,
                                               memory_order_relaxed);
  return unused;
}
static void* thread1(void* unused) {
  int expected = 0;
  r2 = atomic_compare_exchange_strong_explicit(&x, &expected, 2, memory_order_relaxed,
                                               memory_order_relaxed);
  return unused;
}

int main(void) {
  pthread_t t0, t1;
  pthread_create(&t0, 0, thread0, 0);
  pthread_create(&t1, 0, thread1, 0);
  pthread_join(t0, 0);
  pthread_join(t1, 0);
#ifdef CHECK
  assert(!(r1 + r2 != 1));
#endif
  return 0;
}
