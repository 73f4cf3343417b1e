/* A thread that misuses a barrier does not keep another one from failing first. */
#include <assert.h>
#include <pthread.h>

pthread_barrier_t barrier; /* never initialised */
int x, y;

void *misuses(void *argument) {
  pthread_barrier_wait(&barrier);
  y = 2;
  return argument;
}

void *fails(void *argument) {
  x = 1;
  assert(y == 1);
  return argument;
}

int main(void) {
  pthread_t t, u;
  pthread_create(&t, 0, misuses, 0);
  pthread_create(&u, 0, fails, 0);
  x = 2;
  return 0;
}
