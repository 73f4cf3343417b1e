// A pointer to a thread-local variable reaches the variable of its thread.
#include <stdatomic.h>
#include <assert.h>
#include <pthread.h>
void reach_error(void);
static _Thread_local atomic_int mine;
static void* worker(void* argument) {
  atomic_int* theirs = argument;
  atomic_store(theirs, 1);
  if (atomic_load(&mine) != 0)
    reach_error();
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, worker, &mine);
  pthread_join(t, 0);
  if (atomic_load(&mine) != 1)
    reach_error();
  return 0;
}
