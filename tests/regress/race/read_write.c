// One thread writes, the other only reads.
#include <pthread.h>
#include <stdatomic.h>
int x, y;
static void* first(void* unused) {
  x = 1;
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
