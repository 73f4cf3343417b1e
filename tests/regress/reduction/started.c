// Stores that are pending when a thread starts: written here with STORES, or else given with --pending-at-start.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x, y, z;
int first_read, second_read, third_read;

static void* first(void* unused) {
#ifdef STORES
  atomic_store_explicit(&x, 1, memory_order_relaxed);
  atomic_store_explicit(&y, 2, memory_order_relaxed);
#endif
  first_read = atomic_load_explicit(&z, memory_order_relaxed);
  return unused;
}
static void* second(void* unused) {
  atomic_store_explicit(&z, 1, memory_order_relaxed);
  second_read = atomic_load_explicit(&y, memory_order_relaxed);
  third_read = atomic_load_explicit(&x, memory_order_relaxed);
  return unused;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, first, 0);
  pthread_create(&b, 0, second, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(second_read == 0 || third_read == 1);
  return 0;
}
