// Two different locks.
#include <pthread.h>
#include <stdatomic.h>
pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
int x;
static void* first(void* unused) {
  pthread_mutex_lock(&a);
  x = 1;
  pthread_mutex_unlock(&a);
  return unused;
}
static void* second(void* unused) {
  pthread_mutex_lock(&b);
  x = 2;
  pthread_mutex_unlock(&b);
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
