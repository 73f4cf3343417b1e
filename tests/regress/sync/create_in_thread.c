// A thread creates a thread and joins it.
#include <assert.h>
#include <pthread.h>
static int x;
static void* inner(void* unused) {
  x = x + 1;
  return unused;
}
static void* outer(void* unused) {
  pthread_t t;
  pthread_create(&t, 0, inner, 0);
  pthread_join(t, 0);
  assert(x == 1);
  return unused;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, outer, 0);
  pthread_join(t, 0);
  assert(x == 1);
  return 0;
}
