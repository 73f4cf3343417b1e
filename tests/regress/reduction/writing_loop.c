// A loop that stores twice and never empties the store buffer: only PSO lets the second store of a
// later round overtake the first of an earlier one.
#include <assert.h>
#include <pthread.h>
volatile int x, y;

void *writer(void *unused) {
  (void)unused;
  for (int i = 0; i < 3; i++) {
    x = i;
    y = i;
  }
  return 0;
}

void *reader(void *unused) {
  (void)unused;
  int newer = y;
  int older = x;
  assert(newer <= older + 1);
  return 0;
}

int main(void) {
  pthread_t threads[2];
  pthread_create(&threads[0], 0, writer, 0);
  pthread_create(&threads[1], 0, reader, 0);
  pthread_join(threads[0], 0);
  pthread_join(threads[1], 0);
  return 0;
}
