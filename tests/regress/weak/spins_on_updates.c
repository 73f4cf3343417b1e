// Loops that wait by trying an update again: whether somebody ends the wait.
#include <pthread.h>
#include <stdatomic.h>

static atomic_int lock = 1, other;

static void wait_for_lock(void) {
#if defined(KEPT) // the expected value is put right again
  int expected = 0;
  while (!atomic_compare_exchange_strong(&lock, &expected, 1))
    expected = 0;
#elif defined(FRESH) // a new one in each iteration
  _Bool has_it;
  do {
    int expected = 0;
    has_it = atomic_compare_exchange_strong(&lock, &expected, 1);
  } while (!has_it);
#elif defined(WEAK)
  int expected = 0;
  while (!atomic_compare_exchange_weak(&lock, &expected, 1))
    expected = 0;
#elif defined(EXCHANGE) // writes what it finds
  while (atomic_exchange(&lock, 1))
    ;
#elif defined(OR)
  while (atomic_fetch_or_explicit(&lock, 1, memory_order_acquire))
    ;
#elif defined(SAME) // succeeds, and writes what it finds
  int expected = 1;
  while (atomic_compare_exchange_strong(&lock, &expected, 1))
    ;
#elif defined(FENCE)
  while (atomic_exchange_explicit(&lock, 1, memory_order_relaxed))
    atomic_thread_fence(memory_order_acquire);
#endif
}

static void *run(void *argument) {
  wait_for_lock();
  atomic_store(&lock, 0);
  return argument;
}

int main(void) {
  pthread_t one, two;
  pthread_create(&one, 0, run, 0);
  pthread_create(&two, 0, run, 0);
#ifdef SET
  atomic_store(&lock, 0);
#endif
  pthread_join(one, 0);
  pthread_join(two, 0);
  return 0;
}
