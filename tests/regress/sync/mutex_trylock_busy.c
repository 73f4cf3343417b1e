// trylock of a mutex the thread itself holds fails with EBUSY, and a free one never fails.
#include <errno.h>
#include <assert.h>
#include <pthread.h>
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int main(void) {
  assert(pthread_mutex_trylock(&lock) == 0);
  assert(pthread_mutex_trylock(&lock) == EBUSY);
  assert(pthread_mutex_unlock(&lock) == 0);
  assert(pthread_mutex_trylock(&lock) == 0);
  return 0;
}
