// A thread that spins for ever is not blocked: no deadlock (it is a matter of liveness).
#include <assert.h>
#include <pthread.h>
volatile int never;
static void* worker(void* unused) {
  while (!never)
    ;
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
