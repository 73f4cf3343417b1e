// A pointer to the frame of a thread that has ended is only in another thread's store buffer when
// the next thread starts.
#include <assert.h>
#include <pthread.h>
int *q, *p;
static void* owner(void* unused) {
  int x = 0;
  q = &x;
  q = 0;
  return unused;
}
static void* holder(void* unused) {
  p = q;
  return unused;
}
static void* next(void* unused) {
  int y = 0;
  assert(p != &y);
  return unused;
}
int main(void) {
  pthread_t a, b, c;
  pthread_create(&a, 0, owner, 0);
  pthread_create(&b, 0, holder, 0);
  pthread_join(a, 0);
  pthread_create(&c, 0, next, 0);
  pthread_join(c, 0);
  pthread_join(b, 0);
  return 0;
}
