// The update that is not made does not keep the two stores in order.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
atomic_int x, y, z;
static void* writer(void* unused) {
  atomic_store_explicit(&x, 1, memory_order_relaxed);
  if (atomic_load_explicit(&z, memory_order_relaxed)) {
    int expected = 5;
    atomic_compare_exchange_strong(&x, &expected, 6);
  }
  atomic_store_explicit(&y, 1, memory_order_relaxed);
  return unused;
}
static void* reader(void* unused) {
  int second = atomic_load_explicit(&y, memory_order_relaxed);
  int first = atomic_load_explicit(&x, memory_order_relaxed);
  assert(!(second == 1 && first == 0));
  return unused;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, writer, 0);
  pthread_create(&b, 0, reader, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
