// A test-and-set lock that its first holder never gives back: two threads spin for it.
#include <pthread.h>
#include <stdatomic.h>
atomic_int lock;
static void* worker(void* unused) {
  while (atomic_exchange(&lock, 1) == 1)
    ;
  return unused;
}
int main(void) {
  pthread_t a, b, c;
  pthread_create(&a, 0, worker, 0);
  pthread_create(&b, 0, worker, 0);
  pthread_create(&c, 0, worker, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  pthread_join(c, 0);
  return 0;
}
