// The state of rand_r is memory like any other.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
static unsigned state = 1;
static void* worker(void* p) {
  unsigned own = 2;
  rand_r(p == 0 ? &own : &state);
  return 0;
}
int main(void) {
  pthread_t t;
#ifdef SHARED
  pthread_create(&t, 0, worker, &state);
#else
  pthread_create(&t, 0, worker, 0);
#endif
  rand_r(&state);
  pthread_join(t, 0);
#ifdef KEPT
  assert(state == 1);
#endif
  return 0;
}
