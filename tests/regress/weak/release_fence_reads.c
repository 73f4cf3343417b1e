// Load buffering between a release fence and an acquire fence: what is read before the fence is before the
// write after it. rmo held back writes only.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

#ifndef ORDER
#define ORDER memory_order_release
#endif

atomic_int x, y;

void *one(void *unused) {
  (void)unused;
  int first = atomic_load_explicit(&x, memory_order_relaxed);
  atomic_thread_fence(ORDER);
  atomic_store_explicit(&y, 1, memory_order_relaxed);
  return (void *)(intptr_t)first;
}

void *two(void *unused) {
  (void)unused;
  int second = atomic_load_explicit(&y, memory_order_relaxed);
  atomic_thread_fence(memory_order_acquire);
  atomic_store_explicit(&x, 1, memory_order_relaxed);
  return (void *)(intptr_t)second;
}

int main(void) {
  pthread_t a, b;
  void *first, *second;
  pthread_create(&a, 0, one, 0);
  pthread_create(&b, 0, two, 0);
  pthread_join(a, &first);
  pthread_join(b, &second);
  assert(!first || !second);
  return 0;
}
