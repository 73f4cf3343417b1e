/* Locals only, so that one step of the machine goes a hundred thousand calls deep. */
#include <assert.h>
#include <pthread.h>

extern unsigned __VERIFIER_nondet_uint(void);

static unsigned count(unsigned n) { return n == 0 ? 0 : 1 + count(n - 1); }

static void *work(void *argument) {
  unsigned n = __VERIFIER_nondet_uint();
  assert(count(n) == n);
  return argument;
}

int main(void) {
  pthread_t t, u;
  pthread_create(&t, 0, work, 0);
  pthread_create(&u, 0, work, 0);
  return 0;
}
