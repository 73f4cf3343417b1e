// A thread-local variable: each thread has its own, with the initial value.
#include <assert.h>
#include <pthread.h>
static __thread int mine = 5;
static void* worker(void* unused) {
  assert(mine == 5);
  mine = mine + 1;
  assert(mine == 6);
  return unused;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, worker, 0);
  pthread_create(&b, 0, worker, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(mine == 5);
  return 0;
}
