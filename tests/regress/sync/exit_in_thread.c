// exit in a thread ends the whole program.
#include <stdlib.h>
#include <assert.h>
#include <pthread.h>
static void* worker(void* unused) {
  exit(0);
  return unused;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, worker, 0);
  pthread_join(t, 0);
  assert(0);
  return 0;
}
