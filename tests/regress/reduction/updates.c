// Read-modify-writes and compare-exchanges empty the buffer, those that fail, too.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x, y, other;
static int first_read, second_read;

#if defined(EXCHANGE)
static void put(atomic_int* place) { atomic_exchange_explicit(place, 1, memory_order_relaxed); }
#elif defined(FAILING)
static void put(atomic_int* place) {
  int expected = 1; // is not there
  atomic_store_explicit(place, 1, memory_order_relaxed);
  atomic_compare_exchange_strong_explicit(&other, &expected, 2, memory_order_relaxed, memory_order_relaxed);
}
#elif defined(COUNTER)
static void put(atomic_int* place) { atomic_fetch_add_explicit(place, 1, memory_order_relaxed); }
#else
static void put(atomic_int* place) { atomic_store_explicit(place, 1, memory_order_relaxed); }
#endif

static void* first(void* unused) {
  put(&x);
  first_read = atomic_load_explicit(&y, memory_order_relaxed);
  return unused;
}
static void* second(void* unused) {
  put(&y);
#ifdef COUNTER
  put(&x);
#endif
  second_read = atomic_load_explicit(&x, memory_order_relaxed);
  return unused;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, first, 0);
  pthread_create(&b, 0, second, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(first_read || second_read);
#ifdef COUNTER
  assert(x == 2);
#endif
  return 0;
}
