// A compare-exchange that can succeed writes.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);
void __VERIFIER_assume(int);
atomic_int x;
static void* first(void* unused) {
  int expected = 0;
  (void)atomic_compare_exchange_strong(&x, &expected, 8);
  return unused;
}
static void* second(void* unused) {
  (void)*(volatile int*)&x;
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
