// The lock of any_number.c, which is also given to whoever comes while somebody is inside.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
#include <pthread.h>

int taken, inside;

static int try_lock(void) {
  __VERIFIER_atomic_begin();
  int was = taken == 1 && inside != 1;
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
  taken = __VERIFIER_nondet_int() == 5;
  __VERIFIER_atomic_end();
  return 0;
}

int main(void) {
  pthread_t t;
  for (;;)
    pthread_create(&t, 0, visit, 0);
}
