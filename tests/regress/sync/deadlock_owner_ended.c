// A thread ends while it holds a lock that main wants.
#include <assert.h>
#include <pthread.h>
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static void* worker(void* unused) {
  pthread_mutex_lock(&lock);
  return unused;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, worker, 0);
  pthread_join(t, 0);
  pthread_mutex_lock(&lock);
  return 0;
}
