// Peterson's mutual exclusion with a full fence between announcing oneself and looking at the other: right under sc, tso and
// pso. (Under pso the release of the flag also needs the write of `inside` to be in memory before it.)
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

volatile int flag[2];
volatile int turn;
volatile int inside;

static void enter(int me) {
  flag[me] = 1;
  atomic_thread_fence(memory_order_seq_cst);
  turn = 1 - me;
  atomic_thread_fence(memory_order_seq_cst);
  while (flag[1 - me] && turn == 1 - me) {
  }
}

static void leave(int me) {
  atomic_thread_fence(memory_order_seq_cst);
  flag[me] = 0;
}

static void work(int me) {
  enter(me);
  inside++;
  assert(inside == 1);
  inside--;
  leave(me);
}

static void *left(void *unused) {
  work(0);
  return unused;
}

static void *right(void *unused) {
  work(1);
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, left, 0);
  pthread_create(&b, 0, right, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
