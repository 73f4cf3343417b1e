// A thread may or may not do its work before main returns.
#include <assert.h>
#include <pthread.h>
void reach_error(void);
static void* worker(void* unused) {
  reach_error();
  return unused;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, worker, 0);
  return 0;
}
