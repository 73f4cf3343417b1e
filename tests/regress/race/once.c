// Initialised by pthread_once, then only read.
#include <pthread.h>
#include <stdatomic.h>
pthread_once_t once = PTHREAD_ONCE_INIT;
int value, a, b;
static void init(void) { value = 1; }
static void* first(void* unused) {
  pthread_once(&once, init);
  a = value;
  return unused;
}
static void* second(void* unused) {
  pthread_once(&once, init);
  b = value;
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
