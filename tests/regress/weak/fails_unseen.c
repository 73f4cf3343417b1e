// The thread that fails does nothing that others could see; the failure is its own all the same.
#include <assert.h>
#include <pthread.h>
static int ready;
static void* worker(void* unused) {
  assert(unused != 0 && "always fails");
  return unused;
}
int main(void) {
  pthread_t t;
  ready = 1;
  pthread_create(&t, 0, worker, 0);
  return 0;
}
