// A buffer of one element with two semaphores.
#include <pthread.h>
#include <semaphore.h>
#include <assert.h>
sem_t empty, full;
pthread_mutex_t m;
int buffer;
void* prod(void* a) {
  for (int i = 1; i <= 2; i++) {
#ifdef ORDER
    pthread_mutex_lock(&m);
    sem_wait(&empty);
#else
    sem_wait(&empty);
#endif
    buffer = i;
    sem_post(&full);
#ifdef ORDER
    pthread_mutex_unlock(&m);
#endif
  }
  return 0;
}
void* cons(void* a) {
  for (int i = 1; i <= 2; i++) {
#ifdef ORDER
    pthread_mutex_lock(&m);
    sem_wait(&full);
#else
    sem_wait(&full);
#endif
    assert(buffer == i);
    sem_post(&empty);
#ifdef ORDER
    pthread_mutex_unlock(&m);
#endif
  }
  return 0;
}
int main(void) {
  pthread_mutex_init(&m, 0);
#ifdef TWO
  sem_init(&empty, 0, 2);
#else
  sem_init(&empty, 0, 1);
#endif
  sem_init(&full, 0, 0);
  pthread_t p, c;
  pthread_create(&p, 0, prod, 0);
  pthread_create(&c, 0, cons, 0);
  pthread_join(p, 0);
  pthread_join(c, 0);
  sem_destroy(&empty);
  sem_destroy(&full);
  pthread_mutex_destroy(&m);
}
