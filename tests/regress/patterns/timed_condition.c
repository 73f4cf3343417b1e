// A wait with a time limit.
#include <pthread.h>
#include <errno.h>
#include <time.h>
#include <assert.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int ready, timeouts;
void* setter(void* a) {
  pthread_mutex_lock(&m);
  ready = 1;
  pthread_cond_broadcast(&c);
  pthread_mutex_unlock(&m);
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, setter, 0);
  struct timespec ts;
  clock_gettime(CLOCK_REALTIME, &ts);
  ts.tv_sec += 1;
  pthread_mutex_lock(&m);
  int rc = 0;
  while (!ready && rc != ETIMEDOUT)
    rc = pthread_cond_timedwait(&c, &m, &ts);
#ifdef IGNORE
  assert(ready);
#else
  assert(ready || rc == ETIMEDOUT);
#endif
  pthread_mutex_unlock(&m);
  pthread_join(t, 0);
  assert(ready);
}
