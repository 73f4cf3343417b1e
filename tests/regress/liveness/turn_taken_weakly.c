// Each gives the turn away and reads whether the other one is interested: without a fence both may
// miss the other under TSO, but each still gets on. What breaks is exclusion, not progress.
#include <pthread.h>
volatile int wants[2], turn;
static void* left(void* unused) {
  wants[0] = 1;
  turn = 1;
  while (wants[1] && turn == 1)
    ;
  wants[0] = 0;
  return unused;
}
static void* right(void* unused) {
  wants[1] = 1;
  turn = 0;
  while (wants[0] && turn == 0)
    ;
  wants[1] = 0;
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
