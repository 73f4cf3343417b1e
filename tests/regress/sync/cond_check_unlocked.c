// The predicate is set without the lock: the signal may fall between test and wait.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
atomic_int ready;
static void* producer(void* unused) {
  atomic_store(&ready, 1);
  pthread_cond_signal(&changed);
  return unused;
}
static void* consumer(void* unused) {
  pthread_mutex_lock(&lock);
  while (!atomic_load(&ready))
    pthread_cond_wait(&changed, &lock);
  pthread_mutex_unlock(&lock);
  return unused;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, producer, 0);
  pthread_create(&b, 0, consumer, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
