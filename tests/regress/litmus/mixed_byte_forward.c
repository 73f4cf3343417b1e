// Mixed sizes: a load of a word takes one byte from the own buffer and one from memory.
#include <assert.h>
#include <pthread.h>
union {
  volatile unsigned short word;
  volatile unsigned char byte[2];
} u;
int r1, r2;
static void* first(void* unused) {
  u.byte[0] = 1;
  r1 = u.word;
  return unused;
}
static void* second(void* unused) {
  u.byte[1] = 1;
  r2 = u.word;
  return unused;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, first, 0);
  pthread_create(&b, 0, second, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
#ifdef CHECK
  assert(!(r1 == 1 && r2 == 256));
#endif
  return 0;
}
