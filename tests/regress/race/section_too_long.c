// The plain store is only made if the atomic one has not come first; the section goes on for long.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);
void __VERIFIER_assume(int);
atomic_int x;
int y;
static void* first(void* unused) {
  __VERIFIER_atomic_begin();
  if (atomic_load(&x) == 0) {
    *(int*)&x = 5;
    for (int i = 0; i < 12000; i++)
      y = i;
    assert(0);
  }
  __VERIFIER_atomic_end();
  return unused;
}
static void* second(void* unused) {
  atomic_store(&x, 1);
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
