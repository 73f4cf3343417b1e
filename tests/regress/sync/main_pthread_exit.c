// pthread_exit in main leaves the other threads running.
#include <assert.h>
#include <pthread.h>
void reach_error(void);
static volatile int go;
static void* worker(void* unused) {
  if (go)
    reach_error();
  return unused;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, worker, 0);
  go = 1;
  pthread_exit(0);
}
