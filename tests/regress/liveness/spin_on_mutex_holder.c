// One thread spins on a flag while it holds the mutex that the thread which would set it needs.
#include <pthread.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
volatile int flag;
static void* worker(void* unused) {
  pthread_mutex_lock(&m);
  flag = 1;
  pthread_mutex_unlock(&m);
  return unused;
}
int main(void) {
  pthread_t a;
  pthread_create(&a, 0, worker, 0);
  pthread_mutex_lock(&m);
  while (!flag)
    ;
  pthread_mutex_unlock(&m);
  pthread_join(a, 0);
  return 0;
}
