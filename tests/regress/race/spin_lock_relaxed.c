// The same lock with relaxed accesses excludes, but does not order.
#include <pthread.h>
#include <stdatomic.h>
atomic_flag held = ATOMIC_FLAG_INIT;
int x;
static void* worker(void* unused) {
  while (atomic_flag_test_and_set_explicit(&held, memory_order_relaxed))
    ;
  x = x + 1;
  atomic_flag_clear_explicit(&held, memory_order_relaxed);
  return unused;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, worker, 0);
  pthread_create(&b, 0, worker, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
