// A thread cannot stop at an access that it has jumped over: there, second would see `step` at 1 although first has gone
// the other way.
#include <assert.h>
#include <pthread.h>
int way, step, seen;

void *first(void *unused) {
  if (way == 0) {
    step = 2;
  } else {
    step = 1;
    seen = 1;
  }
  return unused;
}

void *second(void *unused) {
  assert(step != 1 && seen == 0);
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
