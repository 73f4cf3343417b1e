// A lock by xchg in inline assembly.
#include <assert.h>
#include <pthread.h>
volatile int held;
int counter;
static int exchange(volatile int* p, int v) {
  __asm__ volatile("xchgl %0, %1" : "+r"(v), "+m"(*p) : : "memory");
  return v;
}
static void* worker(void* unused) {
  while (exchange(&held, 1))
    ;
  counter = counter + 1;
  exchange(&held, 0);
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
