// Written by main while the thread runs.
#include <pthread.h>
#include <stdatomic.h>
int x;
static void* worker(void* unused) {
  x = 1;
  return unused;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, worker, 0);
  x = 2;
  pthread_join(t, 0);
  return 0;
}
