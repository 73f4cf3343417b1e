/* A write behind the end of a block never happens, so it has no event that a free could come before or after. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

int y, *p;
atomic_int a;

void *frees(void *argument) {
  int *q = calloc(2, 4);
  if (q)
    y = q[0];
  free(q);
  return argument;
}

void *writes(void *argument) {
  p = malloc(1);
  if (p)
    *p = 1;
  return argument;
}

int main(void) {
  pthread_t t[3];
  pthread_create(&t[0], 0, frees, 0);
  if (atomic_load(&a) == 0)
    pthread_create(&t[1], 0, writes, 0);
  pthread_create(&t[2], 0, writes, 0);
  return 0;
}
