// All accesses are relaxed atomics.
#include <pthread.h>
#include <stdatomic.h>
atomic_int x;
static void* worker(void* unused) {
  atomic_fetch_add_explicit(&x, 1, memory_order_relaxed);
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
