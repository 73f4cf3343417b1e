// A test-and-set lock that is given back.
#include <pthread.h>
#include <stdatomic.h>
atomic_int lock;
static void* worker(void* unused) {
  while (atomic_exchange(&lock, 1) == 1)
    ;
  atomic_store(&lock, 0);
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
