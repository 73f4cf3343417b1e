// Return from main ends all threads: what a thread would do after that never happens.
#include <stdatomic.h>
#include <assert.h>
#include <pthread.h>
atomic_int ended;
static void* worker(void* unused) {
  while (!atomic_load(&ended))
    ;
  assert(0);
  return unused;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, worker, 0);
  return 0;
}
