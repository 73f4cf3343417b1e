// Handed over by a condition variable.
#include <pthread.h>
#include <stdatomic.h>
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t c = PTHREAD_COND_INITIALIZER;
int ready, data;
static void* first(void* unused) {
  data = 1;
  pthread_mutex_lock(&lock);
  ready = 1;
  pthread_cond_signal(&c);
  pthread_mutex_unlock(&lock);
  return unused;
}
static void* second(void* unused) {
  pthread_mutex_lock(&lock);
  while (!ready)
    pthread_cond_wait(&c, &lock);
  pthread_mutex_unlock(&lock);
  data = 2;
  return unused;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, first, 0);
  pthread_create(&b, 0, second, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
