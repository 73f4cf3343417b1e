// A function named __VERIFIER_atomic_… is an atomic section.
#include <assert.h>
#include <pthread.h>
int counter;
void __VERIFIER_atomic_increment(void) { counter = counter + 1; }
static void* worker(void* unused) {
  __VERIFIER_atomic_increment();
  return unused;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, worker, 0);
  pthread_create(&b, 0, worker, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(counter == 2);
  return 0;
}
