// A thread that calls the function it started with again: both calls see one thread-local variable.
#include <assert.h>
#include <pthread.h>
static __thread int own;
void *f(void *deeper) {
  own++;
  if (deeper)
    f(0);
#ifdef WRONG
  assert(own != 2);
#else
  assert(!deeper || own == 2);
#endif
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, f, &t);
  pthread_join(t, 0);
  return 0;
}
