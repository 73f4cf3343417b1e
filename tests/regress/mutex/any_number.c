// A test-and-set lock, taken by as many threads as the program goes on to start. How many there are
// at a time has no bound, and what they are up to has few.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
#include <pthread.h>

int taken, inside;

static int try_lock(void) {
  __VERIFIER_atomic_begin();
  int was = taken;
  taken = 1;
  __VERIFIER_atomic_end();
  return !was;
}

static void *visit(void *unused) {
  (void)unused;
  if (__VERIFIER_nondet_int() > 10)
    return 0;
  while (!try_lock()) {
  }
  inside++;
  if (inside != 1)
    reach_error();
  inside--;
  __VERIFIER_atomic_begin();
  taken = 0;
  __VERIFIER_atomic_end();
  return 0;
}

int main(void) {
  pthread_t t;
  for (;;)
    pthread_create(&t, 0, visit, 0);
}
