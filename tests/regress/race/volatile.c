// volatile is not atomic.
#include <pthread.h>
#include <stdatomic.h>
volatile int x;
static void* worker(void* unused) {
  x = 1;
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
