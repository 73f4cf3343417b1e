// Both threads only read.
#include <pthread.h>
#include <stdatomic.h>
int x = 1, y, z;
static void* first(void* unused) {
  y = x;
  return unused;
}
static void* second(void* unused) {
  z = x;
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
