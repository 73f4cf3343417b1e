// A sequence lock of C11 atomics.
#include <pthread.h>
#include <stdatomic.h>
#include <assert.h>
static atomic_uint seq;
static atomic_int d1, d2;
#define RLX memory_order_relaxed
void* writer(void* a) {
  unsigned s = atomic_load_explicit(&seq, RLX);
  atomic_store_explicit(&seq, s + 1, RLX);
#ifndef NOFENCE
  atomic_thread_fence(memory_order_release);
#endif
  atomic_store_explicit(&d1, 1, RLX);
  atomic_store_explicit(&d2, 1, RLX);
#ifdef NOFENCE
  atomic_store_explicit(&seq, s + 2, RLX);
#else
  atomic_store_explicit(&seq, s + 2, memory_order_release);
#endif
  return 0;
}
void* reader(void* a) {
  unsigned s1 = atomic_load_explicit(&seq, memory_order_acquire);
  if (s1 & 1)
    return 0;
  int a1 = atomic_load_explicit(&d1, RLX);
  int a2 = atomic_load_explicit(&d2, RLX);
#ifndef NOFENCE
  atomic_thread_fence(memory_order_acquire);
#endif
  unsigned s2 = atomic_load_explicit(&seq, RLX);
#ifndef NOCHECK
  if (s1 != s2)
    return 0;
#endif
  assert(a1 == a2);
  return 0;
}
int main(void) {
  pthread_t w, r;
  pthread_create(&w, 0, writer, 0);
  pthread_create(&r, 0, reader, 0);
  pthread_join(w, 0);
  pthread_join(r, 0);
}
