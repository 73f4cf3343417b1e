// A block is freed after the thread that reads it was joined.
#include <pthread.h>
#include <stdlib.h>
int* p;
int y;
static void* worker(void* unused) {
  y = *p;
  return unused;
}
int main(void) {
  pthread_t t;
  p = malloc(sizeof(int));
  *p = 1;
  pthread_create(&t, 0, worker, 0);
  pthread_join(t, 0);
  free(p);
  return 0;
}
