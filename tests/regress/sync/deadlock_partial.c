// Two threads block each other for ever while main goes on for ever.
#include <assert.h>
#include <pthread.h>
pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
volatile int blink;
static void* first(void* unused) {
  pthread_mutex_lock(&a);
  pthread_mutex_lock(&b);
  return unused;
}
static void* second(void* unused) {
  pthread_mutex_lock(&b);
  pthread_mutex_lock(&a);
  return unused;
}
int main(void) {
  pthread_t t, u;
  pthread_create(&t, 0, first, 0);
  pthread_create(&u, 0, second, 0);
  for (;;)
    blink = !blink;
}
