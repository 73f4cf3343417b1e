// Loops that only compute, with loops in them and in what they call: their iterations are known,
// however many they are.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int x;

static int sum(int n) {
  int s = 0;
  for (int i = 0; i < n; i++)
    s += i;
  return s;
}

static void *work(void *argument) {
  int k = 0;
  for (int i = 0; i < 10000; i++)
    for (int j = 0; j < 3; j++)
      k += i == j ? 2 : 1;
  atomic_store(&x, sum(10000) + k);
  return argument;
}

int main(void) {
  int s = 0;
  pthread_t thread;
  pthread_create(&thread, 0, work, 0);
  for (int i = 0; i < 10000; i++)
    s ^= i;
  pthread_join(thread, 0);
#ifdef WRONG
  assert(x != 50025003);
#else
  assert(x == 50025003 && s == 0);
#endif
  return 0;
}
