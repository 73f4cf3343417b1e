// Written before create, by the thread, and after join.
#include <pthread.h>
#include <stdatomic.h>
int x;
static void* worker(void* unused) {
  x = x + 1;
  return unused;
}
int main(void) {
  pthread_t t;
  x = 1;
  pthread_create(&t, 0, worker, 0);
  pthread_join(t, 0);
  x = x + 1;
  return 0;
}
