// What a data race asks of a lock costs no more than what an assertion asks.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_uint lock;
static unsigned x, y;

static void acquire(void) {
  unsigned found;
  do {
    while (atomic_load_explicit(&lock, memory_order_relaxed) != 0)
      ;
    found = 0;
  } while (!atomic_compare_exchange_strong_explicit(
      &lock, &found, 1, memory_order_acquire, memory_order_relaxed));
}

static void release(void) {
  atomic_store_explicit(&lock, 0, memory_order_release);
}

static void *run(void *argument) {
  acquire();
  x++;
  y++;
  release();
#ifndef ONCE
  acquire();
  x++;
  y++;
  release();
#endif
  return argument;
}

int main(void) {
  pthread_t threads[3];
  for (int i = 0; i < 3; i++)
    pthread_create(&threads[i], 0, run, 0);
  for (int i = 0; i < 3; i++)
    pthread_join(threads[i], 0);
  assert(x == y);
#ifdef RACY // the last thread is joined, the lock has been given back
  pthread_create(&threads[0], 0, run, 0);
  y++;
  pthread_join(threads[0], 0);
#endif
  return 0;
}
