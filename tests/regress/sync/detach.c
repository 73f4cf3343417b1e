// A detached thread may not have run when main looks.
#include <stdatomic.h>
#include <assert.h>
#include <pthread.h>
void reach_error(void);
atomic_int done;
static void* worker(void* unused) {
  atomic_store(&done, 1);
  return unused;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, worker, 0);
  pthread_detach(t);
  if (!(atomic_load(&done) == 1))
    reach_error();
  return 0;
}
