// Each thread waits for the other one's flag before it sets its own.
#include <pthread.h>
#include <stdatomic.h>
atomic_int x, y;
static void* left(void* unused) {
  while (!atomic_load(&y))
    ;
  atomic_store(&x, 1);
  return unused;
}
static void* right(void* unused) {
  while (!atomic_load(&x))
    ;
  atomic_store(&y, 1);
  return unused;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, left, 0);
  pthread_create(&b, 0, right, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
