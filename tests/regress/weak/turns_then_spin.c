// Threads in turn, and then two that try a lock. That one of them tries three times is seen before
// anybody is joined.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#define N 20

static int count;
static atomic_int lock;

static void *add(void *argument) {
  count++;
  return argument;
}

static void *try(void *argument) {
  int tries = 0;
  while (atomic_exchange_explicit(&lock, 1, memory_order_acquire))
    tries++;
  assert(tries < 3);
  atomic_store_explicit(&lock, 0, memory_order_release);
  return argument;
}

int main(void) {
  pthread_t one, two;
  for (int i = 0; i < N; i++) {
    pthread_create(&one, 0, add, 0);
    pthread_join(one, 0);
  }
  assert(count == N);
  pthread_create(&one, 0, try, 0);
  pthread_create(&two, 0, try, 0);
  pthread_join(one, 0);
  pthread_join(two, 0);
  return 0;
}
