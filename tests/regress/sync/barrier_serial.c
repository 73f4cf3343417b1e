// Exactly one thread gets PTHREAD_BARRIER_SERIAL_THREAD.
#include <stdatomic.h>
#include <assert.h>
#include <pthread.h>
pthread_barrier_t barrier;
atomic_int serial;
static void* worker(void* unused) {
  int result = pthread_barrier_wait(&barrier);
  assert(result == 0 || result == PTHREAD_BARRIER_SERIAL_THREAD);
  if (result == PTHREAD_BARRIER_SERIAL_THREAD)
    atomic_fetch_add(&serial, 1);
  return unused;
}
int main(void) {
  pthread_t a, b;
  pthread_barrier_init(&barrier, 0, 2);
  pthread_create(&a, 0, worker, 0);
  pthread_create(&b, 0, worker, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(serial == 1);
  pthread_barrier_destroy(&barrier);
  return 0;
}
