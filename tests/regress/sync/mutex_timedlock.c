// A timed lock may give up at any moment, and never blocks for ever.
#include <time.h>
#include <assert.h>
#include <pthread.h>
void reach_error(void);
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static void* holder(void* unused) {
  pthread_mutex_lock(&lock);
  pthread_mutex_unlock(&lock);
  return unused;
}
int main(void) {
  pthread_t t;
  struct timespec until = {0, 0};
  pthread_create(&t, 0, holder, 0);
  if (pthread_mutex_timedlock(&lock, &until) != 0)
    reach_error();
  return 0;
}
