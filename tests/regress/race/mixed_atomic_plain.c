// The same object is written atomically and read plainly.
#include <pthread.h>
#include <stdatomic.h>
int x, y;
static void* first(void* unused) {
  __atomic_store_n(&x, 1, __ATOMIC_SEQ_CST);
  return unused;
}
static void* second(void* unused) {
  y = x;
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
