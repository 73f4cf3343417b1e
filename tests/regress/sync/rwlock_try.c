// The try forms succeed exactly if the lock could be had.
#include <errno.h>
#include <assert.h>
#include <pthread.h>
pthread_rwlock_t lock;
int main(void) {
  pthread_rwlock_init(&lock, 0);
  assert(pthread_rwlock_tryrdlock(&lock) == 0);
  assert(pthread_rwlock_trywrlock(&lock) == EBUSY);
  pthread_rwlock_unlock(&lock);
  assert(pthread_rwlock_trywrlock(&lock) == 0);
  assert(pthread_rwlock_tryrdlock(&lock) == EBUSY);
  pthread_rwlock_unlock(&lock);
  pthread_rwlock_destroy(&lock);
  return 0;
}
