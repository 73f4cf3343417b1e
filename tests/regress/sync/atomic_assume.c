// An assume inside a section that waits: the usual way to write a lock in SV-COMP.
#include <assert.h>
#include <pthread.h>
void __VERIFIER_assume(int);
int locked, inside;
void __VERIFIER_atomic_acquire(void) {
  __VERIFIER_assume(locked == 0);
  locked = 1;
}
void __VERIFIER_atomic_release(void) { locked = 0; }
static void* worker(void* unused) {
  __VERIFIER_atomic_acquire();
  inside = inside + 1;
  assert(inside == 1);
  inside = inside - 1;
  __VERIFIER_atomic_release();
  return unused;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, worker, 0);
  pthread_create(&b, 0, worker, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
