// Before anything that matters comes a loop that ends after 5,000 iterations, which only memory
// tells. A bound that cuts it lets neither the thread nor the assertion come about.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int x;

static void *worker(void *argument) {
  assert(0 && "is reached behind the loop");
  return argument;
}

int main(void) {
  while (atomic_load(&x) < 5000)
    atomic_fetch_add(&x, 1);
  pthread_t thread;
  pthread_create(&thread, 0, worker, 0);
  pthread_join(thread, 0);
  return 0;
}
