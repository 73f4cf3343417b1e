// Both write under the read lock.
#include <pthread.h>
#include <stdatomic.h>
pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
int x;
static void* worker(void* unused) {
  pthread_rwlock_rdlock(&lock);
  x = 1;
  pthread_rwlock_unlock(&lock);
  return unused;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, worker, 0);
  pthread_create(&b, 0, worker, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
