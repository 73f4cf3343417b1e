// Store buffering across calls: the store is the last thing one function does, the load the first of the next.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int x, y;
static int first_read, second_read;

static void set(atomic_int* place) { atomic_store_explicit(place, 1, memory_order_relaxed); }
static int get(atomic_int* place) { return atomic_load_explicit(place, memory_order_relaxed); }

static void* first(void* unused) {
  set(&x);
  first_read = get(&y);
  return unused;
}
static void* second(void* unused) {
  set(&y);
  second_read = get(&x);
  return unused;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, first, 0);
  pthread_create(&b, 0, second, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
#ifdef ALLOCATED
  int* copy = malloc(sizeof *copy); // the run is carried back with what malloc gave in it
  if (!copy)
    return 0;
  *copy = first_read;
  assert(*copy && second_read);
#elif defined BROKEN
  assert(first_read && second_read); // is violated whatever is emptied, and the run is carried back
#else
  assert(first_read || second_read);
#endif
  return 0;
}
