// A function hands its local to another thread and waits until that is done with it.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static _Atomic(atomic_int*) given;
static void* other(void* p) {
  atomic_int* place = atomic_load_explicit(&given, memory_order_acquire);
  if (place != 0)
    atomic_store_explicit(place, 2, memory_order_relaxed);
  return p;
}
static int ask(void) {
  pthread_t t;
  atomic_int answer;
  atomic_init(&answer, 1);
  atomic_store_explicit(&given, &answer, memory_order_release);
  pthread_create(&t, 0, other, 0);
  pthread_join(t, 0);
  return atomic_load_explicit(&answer, memory_order_relaxed);
}
int main(void) {
  int first = ask();
#ifdef WRONG
  assert(first != 2);
#else
  assert(first == 2);
#endif
  return 0;
}
