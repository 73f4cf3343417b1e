// The threads take turns twice, and main looks afterwards: two rounds, and what main does behind the last one.
#include <assert.h>
#include <pthread.h>
int turn;

void *first(void *unused) {
  if (turn == 0)
    turn = 1;
  if (turn == 2)
    turn = 3;
  return unused;
}

void *second(void *unused) {
  if (turn == 1)
    turn = 2;
  if (turn == 3)
    turn = 4;
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, first, 0);
  pthread_create(&b, 0, second, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(turn != 4);
  return 0;
}
