// The block is freed after the thread that uses it was joined.
#include <pthread.h>
#include <stdlib.h>
static void* user(void* argument) {
  int* p = argument;
  *p = 1;
  return 0;
}
int main(void) {
  pthread_t t;
  int* p = malloc(sizeof(int));
  pthread_create(&t, 0, user, p);
  pthread_join(t, 0);
  free(p);
  return 0;
}
