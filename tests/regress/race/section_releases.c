// The section writes x plainly, then releases it; reading after the section is no race.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);
void __VERIFIER_assume(int);
atomic_int x;
static void* first(void* unused) {
  __VERIFIER_atomic_begin();
  *(int*)&x = 1;
  atomic_store(&x, 2);
  __VERIFIER_atomic_end();
  return unused;
}
static void* second(void* unused) {
  (void)atomic_load(&x);
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
