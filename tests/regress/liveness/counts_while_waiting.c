/* The count is stored at the end, so that iterations that wait differ: larger bounds end where formulas get too large. */
#include <pthread.h>
#include <stdatomic.h>

atomic_int x, y;

static void *waits(void *argument) {
  int n = 0;
  while (!atomic_load(&x))
    n++;
  atomic_store(&y, n);
  return argument;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, waits, 0);
  return 0;
}
