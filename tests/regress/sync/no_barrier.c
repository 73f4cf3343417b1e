// Without the barrier nothing is promised.
#include <assert.h>
#include <pthread.h>
void reach_error(void);
pthread_barrier_t barrier;
int x, y;
static void* first(void* unused) {
  x = 1;
  if (y != 1)
    reach_error();
  return unused;
}
static void* second(void* unused) {
  y = 1;
  if (x != 1)
    reach_error();
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
