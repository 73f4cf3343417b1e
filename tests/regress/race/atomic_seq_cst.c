// All accesses are seq_cst atomics.
#include <pthread.h>
#include <stdatomic.h>
atomic_int x;
static void* first(void* unused) {
  x = 1;
  return unused;
}
static void* second(void* unused) {
  x = x + 1;
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
