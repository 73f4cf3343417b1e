// Threads that an eager sequentialization runs against guesses: an assertion that fails only where a guess is wrong, a thread that nobody
// lets go on, a failure of main while a child is stuck, and (MISUSED) an index that is out of bounds only with a wrong guess.
#include <assert.h>
#include <pthread.h>
void __VERIFIER_assume(int);
int data, ready, stuck;
static const int table[3] = {4, 5, 6};

void *reader(void *unused) {
  if (ready) {
    int value = data;
    assert(value == 2);
    stuck = table[value];
  }
  return unused;
}
void *waiter(void *unused) {
  __VERIFIER_assume(0);
  return unused;
}

int main(void) {
  pthread_t one, other;
  pthread_create(&one, 0, reader, 0);
  pthread_create(&other, 0, waiter, 0);
  data = 2;
  ready = 1;
  pthread_join(one, 0);
  assert(stuck == 0 || stuck == 6);
#ifdef BROKEN
  assert(stuck == 6);
#endif
  return 0;
}
