// A lock by lock cmpxchg in inline assembly.
#include <assert.h>
#include <pthread.h>
volatile int held;
int counter;
static int compare_exchange(volatile int* p, int expected, int desired) {
  int old;
  __asm__ volatile("lock; cmpxchgl %2, %1" : "=a"(old), "+m"(*p) : "r"(desired), "0"(expected) : "memory");
  return old;
}
static void* worker(void* unused) {
  while (compare_exchange(&held, 0, 1) != 0)
    ;
  counter = counter + 1;
  compare_exchange(&held, 1, 0);
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
