// Coherence of reads: two readers agree on the order of two stores.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int x;
int r1, r2, r3, r4;

static void* thread0(void* unused) {
  atomic_store_explicit(&x, 1, memory_order_relaxed);
  return unused;
}
static void* thread1(void* unused) {
  atomic_store_explicit(&x, 2, memory_order_relaxed);
  return unused;
}
static void* thread2(void* unused) {
  r1 = atomic_load_explicit(&x, memory_order_relaxed);
  r2 = atomic_load_explicit(&x, memory_order_relaxed);
  return unused;
}
static void* thread3(void* unused) {
  r3 = atomic_load_explicit(&x, memory_order_relaxed);
  r4 = atomic_load_explicit(&x, memory_order_relaxed);
  return unused;
}

int main(void) {
  pthread_t t0, t1, t2, t3;
  pthread_create(&t0, 0, thread0, 0);
  pthread_create(&t1, 0, thread1, 0);
  pthread_create(&t2, 0, thread2, 0);
  pthread_create(&t3, 0, thread3, 0);
  pthread_join(t0, 0);
  pthread_join(t1, 0);
  pthread_join(t2, 0);
  pthread_join(t3, 0);
#ifdef CHECK
  assert(!(r1 == 1 && r2 == 2 && r3 == 2 && r4 == 1));
#endif
  return 0;
}
