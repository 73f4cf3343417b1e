// One thread frees what the other one still uses.
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
  free(p);
  pthread_join(t, 0);
  return 0;
}
