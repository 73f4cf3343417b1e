// await_while and the spin markers are only hints.
#include <stdatomic.h>
#include <assert.h>
#include <pthread.h>
void __VERIFIER_spin_start(void);
void __VERIFIER_spin_end(int);
atomic_int ready;
int data;
static void* producer(void* unused) {
  data = 1;
  atomic_store(&ready, 1);
  return unused;
}
static void* consumer(void* unused) {
  for (;;) {
    __VERIFIER_spin_start();
    int done = atomic_load(&ready);
    __VERIFIER_spin_end(done);
    if (done)
      break;
  }
  assert(data == 1);
  return unused;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, producer, 0);
  pthread_create(&b, 0, consumer, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
