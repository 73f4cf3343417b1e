// Writing under a read lock loses updates.
#include <assert.h>
#include <pthread.h>
void reach_error(void);
pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
int counter;
static void* worker(void* unused) {
  pthread_rwlock_rdlock(&lock);
  counter = counter + 1;
  pthread_rwlock_unlock(&lock);
  return unused;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, worker, 0);
  pthread_create(&b, 0, worker, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  if (!(counter == 2))
    reach_error();
  return 0;
}
