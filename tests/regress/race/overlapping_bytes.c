// A word and one of its bytes.
#include <pthread.h>
#include <stdatomic.h>
union {
  int word;
  char byte[4];
} u;
static void* first(void* unused) {
  u.word = 1;
  return unused;
}
static void* second(void* unused) {
  u.byte[3] = 1;
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
