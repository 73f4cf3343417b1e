// Peterson's mutual exclusion for two threads. Right under sequential consistency; under TSO a thread's write of its flag can
// still be in its store buffer when it reads the other's, so both enter: heddle verify examples/peterson.c --model tso
#include <assert.h>
#include <pthread.h>

volatile int flag[2];
volatile int turn;
volatile int inside;

static void enter(int me) {
  flag[me] = 1;
  turn = 1 - me;
  while (flag[1 - me] && turn == 1 - me) {
  }
}

static void leave(int me) { flag[me] = 0; }

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
