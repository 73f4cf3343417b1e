// join gives what the thread returned or passed to pthread_exit.
#include <assert.h>
#include <pthread.h>
static void deep(int n) {
  if (n == 0)
    pthread_exit((void*)2);
  deep(n - 1);
}
static void* first(void* unused) {
  (void)unused;
  return (void*)1;
}
static void* second(void* unused) {
  deep(2);
  return unused;
}
int main(void) {
  pthread_t a, b;
  void *x, *y;
  pthread_create(&a, 0, first, 0);
  pthread_create(&b, 0, second, 0);
  pthread_join(a, &x);
  pthread_join(b, &y);
  assert(x == (void*)1 && y == (void*)2);
  return 0;
}
