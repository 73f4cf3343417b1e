// Two threads free the same block after an unprotected test.
#include <pthread.h>
#include <stdlib.h>
void* volatile p;
static void* release(void* unused) {
  void* mine = p;
  if (mine) {
    p = 0;
    free(mine);
  }
  return unused;
}
int main(void) {
  pthread_t t;
  p = malloc(1);
  pthread_create(&t, 0, release, 0);
  release(0);
  pthread_join(t, 0);
  return 0;
}
