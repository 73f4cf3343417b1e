// A thread is joined by another thread than its creator.
#include <assert.h>
#include <pthread.h>
static pthread_t target;
static int x;
static void* worker(void* unused) {
  x = 1;
  return unused;
}
static void* joiner(void* unused) {
  pthread_join(target, 0);
  assert(x == 1);
  return unused;
}
int main(void) {
  pthread_t t;
  pthread_create(&target, 0, worker, 0);
  pthread_create(&t, 0, joiner, 0);
  pthread_join(t, 0);
  return 0;
}
