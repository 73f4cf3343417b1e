// Store buffering with sfence.
#include <assert.h>
#include <pthread.h>
volatile int x, y;
int r1, r2;
static void* first(void* unused) {
  x = 1;
  __asm__ volatile("sfence" ::: "memory");
  r1 = y;
  return unused;
}
static void* second(void* unused) {
  y = 1;
  __asm__ volatile("sfence" ::: "memory");
  r2 = x;
  return unused;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, first, 0);
  pthread_create(&b, 0, second, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(r1 == 1 || r2 == 1);
  return 0;
}
