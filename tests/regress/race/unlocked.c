// A counter without a lock.
#include <pthread.h>
#include <stdatomic.h>
int x;
static void* worker(void* unused) {
  x = x + 1;
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
