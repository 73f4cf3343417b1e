// The usual loop around a weak compare-exchange loses no update.
#include <stdatomic.h>
#include <assert.h>
#include <pthread.h>
atomic_int x;
static void* worker(void* unused) {
  int old = atomic_load(&x);
  while (!atomic_compare_exchange_weak(&x, &old, old + 1))
    ;
  return unused;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, worker, 0);
  pthread_create(&b, 0, worker, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(x == 2);
  return 0;
}
