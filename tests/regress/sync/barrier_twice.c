// A barrier can be used again at once: nobody runs ahead by two rounds.
#include <stdatomic.h>
#include <assert.h>
#include <pthread.h>
pthread_barrier_t barrier;
atomic_int rounds[2];
static void work(int me) {
  for (int i = 1; i <= 2; ++i) {
    atomic_store(&rounds[me], i);
    pthread_barrier_wait(&barrier);
    assert(atomic_load(&rounds[1 - me]) >= i);
  }
}
static void* first(void* unused) {
  work(0);
  return unused;
}
static void* second(void* unused) {
  work(1);
  return unused;
}
int main(void) {
  pthread_t a, b;
  pthread_barrier_init(&barrier, 0, 2);
  pthread_create(&a, 0, first, 0);
  pthread_create(&b, 0, second, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
