// Two threads store into one pointer: one block is lost.
#include <pthread.h>
#include <stdlib.h>
void* volatile p;
static void* make(void* unused) {
  if (p == 0)
    p = malloc(1);
  return unused;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, make, 0);
  make(0);
  pthread_join(t, 0);
  free(p);
  return 0;
}
