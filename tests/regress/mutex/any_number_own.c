// As many threads as the program goes on to start, each with a variable of its own that functions
// set and look at: it is no more a part of memory than a local is. With WRONG the lock is not
// waited for.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
#include <pthread.h>

int taken;
static __thread signed char holds = -1;

static void try_lock(void) {
  __VERIFIER_atomic_begin();
  holds = !taken;
  taken = 1;
  __VERIFIER_atomic_end();
}

static void unlock(void) {
  __VERIFIER_atomic_begin();
  if (!taken)
    reach_error();
  taken = 0;
  __VERIFIER_atomic_end();
}

static void *visit(void *unused) {
  (void)unused;
  if (holds != -1)
    reach_error();
  do
    try_lock();
#ifdef WRONG
  while (0);
#else
  while (!holds);
#endif
  unlock();
  return 0;
}

int main(void) {
  pthread_t t;
  for (;;) {
    if (holds != -1)
      reach_error();
    pthread_create(&t, 0, visit, 0);
  }
}
