// A hand-made once without a lock runs the function twice.
#include <stdatomic.h>
#include <assert.h>
#include <pthread.h>
void reach_error(void);
atomic_int done, runs;
static void* worker(void* unused) {
  if (!atomic_load(&done)) {
    atomic_fetch_add(&runs, 1);
    atomic_store(&done, 1);
  }
  return unused;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, worker, 0);
  pthread_create(&b, 0, worker, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  if (!(runs == 1))
    reach_error();
  return 0;
}
