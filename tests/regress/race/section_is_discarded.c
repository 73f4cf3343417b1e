// What is assumed in the section never holds.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);
void __VERIFIER_assume(int);
int x;
static void* first(void* unused) {
  __VERIFIER_atomic_begin();
  x = 1;
  __VERIFIER_assume(0);
  __VERIFIER_atomic_end();
  return unused;
}
static void* second(void* unused) {
  x = 2;
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
