// Opposite orders where the second lock is only tried: no deadlock.
#include <assert.h>
#include <pthread.h>
pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static void both(pthread_mutex_t* x, pthread_mutex_t* y) {
  pthread_mutex_lock(x);
  if (pthread_mutex_trylock(y) == 0)
    pthread_mutex_unlock(y);
  pthread_mutex_unlock(x);
}
static void* first(void* unused) {
  both(&a, &b);
  return unused;
}
static void* second(void* unused) {
  both(&b, &a);
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
