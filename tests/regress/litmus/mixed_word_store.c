// Mixed sizes: one store of a word reaches both bytes in one step.
#include <assert.h>
#include <pthread.h>
union {
  volatile unsigned short word;
  volatile unsigned char byte[2];
} u;
int r1, r2;
static void* first(void* unused) {
  u.word = 0x0101;
  return unused;
}
static void* second(void* unused) {
  r1 = u.byte[0];
  r2 = u.byte[1];
  return unused;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, first, 0);
  pthread_create(&b, 0, second, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
#ifdef CHECK
  assert(!(r1 == 1 && r2 == 0));
#endif
  return 0;
}
