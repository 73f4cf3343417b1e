// What main read before it created the thread that writes it cannot be what that thread writes; and nobody joins a thread before it has ended.
#include <assert.h>
#include <pthread.h>
int x, done;

void *inner(void *unused) {
  x = 1;
  return unused;
}
void *outer(void *unused) {
  pthread_t thread;
  int before = x;
  pthread_create(&thread, 0, inner, 0);
  assert(before == 0);
  pthread_join(thread, 0);
  assert(x == 1);
  done = 1;
  return (void *)7;
}

int main(void) {
  pthread_t thread;
  void *result;
  pthread_create(&thread, 0, outer, 0);
#ifdef BROKEN
  assert(done == 0);
#endif
  pthread_join(thread, &result);
  assert(done == 1 && (long)result == 7);
  return 0;
}
