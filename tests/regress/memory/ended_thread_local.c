// A pointer to a thread-local variable outlives its thread; the next thread gets the same index.
#include <pthread.h>
static __thread int own;
int* p;
static void* first(void* unused) {
  p = &own;
  return unused;
}
static void* second(void* unused) {
  *p = 1;
  return unused;
}
int main(void) {
  pthread_t a;
  pthread_create(&a, 0, first, 0);
  pthread_join(a, 0);
  pthread_create(&a, 0, second, 0);
  pthread_join(a, 0);
  return 0;
}
