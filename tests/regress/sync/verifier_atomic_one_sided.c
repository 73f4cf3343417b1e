// Only one thread uses a section: the other one can be interrupted by it.
#include <assert.h>
#include <pthread.h>
void reach_error(void);
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);
int counter;
static void* first(void* unused) {
  __VERIFIER_atomic_begin();
  counter = counter + 1;
  __VERIFIER_atomic_end();
  return unused;
}
static void* second(void* unused) {
  counter = counter + 1;
  return unused;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, first, 0);
  pthread_create(&b, 0, second, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  if (!(counter == 2))
    reach_error();
  return 0;
}
