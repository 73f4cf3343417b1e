// Fences of processors other than x86 are those that compilers make of C's.
#include <assert.h>
#include <pthread.h>
#ifndef FENCE
#define FENCE "dmb ish"
#endif
static volatile int x, y;
static int a, b;
static void* first(void* p) {
  x = 1;
  __asm__ volatile(FENCE ::: "memory");
  a = y;
  return p;
}
static void* second(void* p) {
  y = 1;
  __asm__ volatile(FENCE ::: "memory");
  b = x;
  return p;
}
int main(void) {
  pthread_t t, u;
  pthread_create(&t, 0, first, 0);
  pthread_create(&u, 0, second, 0);
  pthread_join(t, 0);
  pthread_join(u, 0);
  assert(a == 1 || b == 1);
  return 0;
}
