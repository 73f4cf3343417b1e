// Peterson's mutual exclusion, with a fence behind the stores unless NO_FENCE is defined. Loops that
// only wait need no fence.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#ifdef NO_FENCE
#define FENCE()
#else
#define FENCE() atomic_thread_fence(memory_order_seq_cst)
#endif
volatile int flag0, flag1, turn, inside;

void *first(void *unused) {
  (void)unused;
  flag0 = 1;
  turn = 1;
  FENCE();
  while (flag1 == 1 && turn == 1)
    ;
  inside = 1;
  assert(inside == 1);
  flag0 = 0;
  return 0;
}

void *second(void *unused) {
  (void)unused;
  flag1 = 1;
  turn = 0;
  FENCE();
  while (flag0 == 1 && turn == 0)
    ;
  inside = 2;
  assert(inside == 2);
  flag1 = 0;
  return 0;
}

int main(void) {
  pthread_t threads[2];
  pthread_create(&threads[0], 0, first, 0);
  pthread_create(&threads[1], 0, second, 0);
  pthread_join(threads[0], 0);
  pthread_join(threads[1], 0);
  return 0;
}
