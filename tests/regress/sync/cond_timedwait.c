// A timed wait may end with ETIMEDOUT before anything happened; it never blocks for ever.
#include <errno.h>
#include <time.h>
#include <assert.h>
#include <pthread.h>
void reach_error(void);
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
int main(void) {
  struct timespec until = {0, 0};
  pthread_mutex_lock(&lock);
  if (pthread_cond_timedwait(&changed, &lock, &until) == ETIMEDOUT)
    reach_error();
  pthread_mutex_unlock(&lock);
  return 0;
}
