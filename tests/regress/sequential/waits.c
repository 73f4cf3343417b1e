// Every kind of waiting, one thread for each side; with BROKEN the mutex protects only one of them.
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
sem_t ready;
int full, value, taken;

void *producer(void *unused) {
  pthread_mutex_lock(&mutex);
  value = 7;
  full = 1;
  pthread_cond_signal(&changed);
  pthread_mutex_unlock(&mutex);
#ifdef BROKEN
  value = 8;
#endif
  sem_post(&ready);
  return unused;
}

int main(void) {
  pthread_t thread;
  sem_init(&ready, 0, 0);
  pthread_create(&thread, 0, producer, 0);
  pthread_mutex_lock(&mutex);
  while (!full)
    pthread_cond_wait(&changed, &mutex);
  taken = value;
  pthread_mutex_unlock(&mutex);
  sem_wait(&ready);
  pthread_join(thread, 0);
  assert(taken == 7);
  return 0;
}
