// pthread_once runs the function once, and it is done when any call returns.
#include <assert.h>
#include <pthread.h>
pthread_once_t once = PTHREAD_ONCE_INIT;
int value;
static void init(void) { value = value + 1; }
static void* worker(void* unused) {
  pthread_once(&once, init);
  assert(value == 1);
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
