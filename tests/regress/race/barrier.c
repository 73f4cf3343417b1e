// Phases separated by a barrier.
#include <pthread.h>
#include <stdatomic.h>
pthread_barrier_t phase;
int x, y;
static void* first(void* unused) {
  x = 1;
  pthread_barrier_wait(&phase);
  y = 1;
  return unused;
}
static void* second(void* unused) {
  pthread_barrier_wait(&phase);
  x = 2;
  return unused;
}
int main(void) {
  pthread_t a, b;
  pthread_barrier_init(&phase, 0, 2);
  pthread_create(&a, 0, first, 0);
  pthread_create(&b, 0, second, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
