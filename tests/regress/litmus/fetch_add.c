// Two fetch_add of one location never lose an update.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int x;
int r1, r2;

static void* thread0(void* unused) {
  r1 = atomic_fetch_add_explicit(&x, 1, memory_order_relaxed);
  return unused;
}
static void* thread1(void* unused) {
  r2 = atomic_fetch_add_explicit(&x, 1, memory_order_relaxed);
  return unused;
}

int main(void) {
  pthread_t t0, t1;
  pthread_create(&t0, 0, thread0, 0);
  pthread_create(&t1, 0, thread1, 0);
  pthread_join(t0, 0);
  pthread_join(t1, 0);
#ifdef CHECK
  assert(!(x != 2 || r1 == r2));
#endif
  return 0;
}
