// A mutex that somebody holds is not destroyed: EBUSY, under every model.
#include <assert.h>
#include <errno.h>
#include <pthread.h>

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
int shared;

static void *other(void *unused) {
  (void)unused;
  shared = 1;
  return 0;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, other, 0);
  pthread_mutex_lock(&mutex);
  int error = pthread_mutex_destroy(&mutex);
#ifdef WRONG
  assert(error == 0);
#else
  assert(error == EBUSY);
#endif
  pthread_mutex_unlock(&mutex);
  assert(pthread_mutex_destroy(&mutex) == 0);
  pthread_join(thread, 0);
  return 0;
}
