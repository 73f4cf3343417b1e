// A store is still in the buffer when its block is freed: it was valid when it was issued.
#include <pthread.h>
#include <stdlib.h>
int* volatile shared;
static void* owner(void* unused) {
  int* p = malloc(sizeof(int));
  shared = p;
  *p = 1;
  free(p);
  shared = 0;
  return unused;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, owner, 0);
  pthread_join(t, 0);
  return 0;
}
