// A heap block shared by pointer.
#include <pthread.h>
#include <stdlib.h>
static void* worker(void* p) {
  *(int*)p = 1;
  return 0;
}
int main(void) {
  pthread_t t;
  int* p = malloc(sizeof(int));
  pthread_create(&t, 0, worker, p);
  *p = 2;
  pthread_join(t, 0);
  free(p);
  return 0;
}
