// Loops that wait: the proof does not depend on a bound.
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>

static atomic_int lock;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_rwlock_t both = PTHREAD_RWLOCK_INITIALIZER;
static pthread_spinlock_t spin;
static sem_t semaphore;
static int counter;

static void take(void) {
#if defined(EXCHANGE)
  while (atomic_exchange_explicit(&lock, 1, memory_order_acquire))
    ;
#elif defined(OR)
  while (atomic_fetch_or_explicit(&lock, 1, memory_order_acquire) & 1)
    ;
#elif defined(RELAXED) // does not synchronise
  while (atomic_exchange_explicit(&lock, 1, memory_order_relaxed))
    ;
#elif defined(FENCED)
  while (atomic_exchange_explicit(&lock, 1, memory_order_relaxed))
    atomic_thread_fence(memory_order_acquire);
  atomic_thread_fence(memory_order_acquire);
#elif defined(TRYLOCK)
  while (pthread_mutex_trylock(&mutex))
    ;
#elif defined(TRYSPIN)
  while (pthread_spin_trylock(&spin))
    ;
#elif defined(TRYSEMAPHORE)
  while (sem_trywait(&semaphore))
    ;
#elif defined(TRYWRITE)
  while (pthread_rwlock_trywrlock(&both))
    ;
#elif defined(BACKOFF)
  unsigned pause = 1;
  while (atomic_exchange_explicit(&lock, 1, memory_order_acquire)) {
    for (unsigned i = 0; i < pause; i++)
      ;
    if (pause < 64)
      pause *= 2;
  }
#elif defined(COUNTER)
  int tries = 0;
  while (atomic_exchange_explicit(&lock, 1, memory_order_acquire))
    tries++;
#elif defined(LIMIT) // after two failures it goes on without the lock
  int tries = 0;
  while (atomic_exchange_explicit(&lock, 1, memory_order_acquire))
    if (++tries > 2)
      break;
#elif defined(COUNTED)
  int tries = 0;
  while (atomic_exchange_explicit(&lock, 1, memory_order_acquire))
    tries++;
  assert(tries < 3);
#endif
}

static void give(void) {
#if defined(TRYLOCK)
  pthread_mutex_unlock(&mutex);
#elif defined(TRYSPIN)
  pthread_spin_unlock(&spin);
#elif defined(TRYSEMAPHORE)
  sem_post(&semaphore);
#elif defined(TRYWRITE)
  pthread_rwlock_unlock(&both);
#else
  atomic_store_explicit(&lock, 0, memory_order_release);
#endif
}

static void *run(void *argument) {
  take();
  counter++;
#ifndef KEPT // nobody gives it back
  give();
#endif
  return argument;
}

int main(void) {
  pthread_t one, two;
#ifdef TRYSPIN
  pthread_spin_init(&spin, 0);
#elif defined(TRYSEMAPHORE)
  sem_init(&semaphore, 0, 1);
#endif
  pthread_create(&one, 0, run, 0);
  pthread_create(&two, 0, run, 0);
  pthread_join(one, 0);
  pthread_join(two, 0);
  assert(counter == 2);
  return 0;
}
