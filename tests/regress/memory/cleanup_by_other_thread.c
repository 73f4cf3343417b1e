// What one thread allocates another one frees; with LATE main returns without waiting for it.
#include <pthread.h>
#include <stdlib.h>
static void* worker(void* block) {
  free(block);
  return 0;
}
int main(void) {
  pthread_t a;
  int* block = malloc(sizeof(int));
  pthread_create(&a, 0, worker, block);
#ifndef LATE
  pthread_join(a, 0);
#endif
  return 0;
}
