// A loop of 9,000 iterations with accesses: no formula has them all, one run shows the violation.
#include <assert.h>
#include <pthread.h>

#ifndef THREADS
#define THREADS 1
#endif

int x;

static void *count(void *argument) {
  for (int i = 0; i < 9000; i++)
    x++;
  return argument;
}

int main(void) {
  pthread_t thread[THREADS];
  for (int i = 0; i < THREADS; i++)
    pthread_create(&thread[i], 0, count, 0);
  for (int i = 0; i < THREADS; i++)
    pthread_join(thread[i], 0);
#ifdef RIGHT
  assert(x <= THREADS * 9000);
#else
  assert(x == 5);
#endif
  return 0;
}
