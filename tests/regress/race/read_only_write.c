// One thread reads a constant, the other writes it.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);
void __VERIFIER_assume(int);
static const int x = 3;
static void* first(void* unused) {
  (void)*(volatile const int*)&x;
  return unused;
}
static void* second(void* unused) {
  *(volatile int*)&x = 4;
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
