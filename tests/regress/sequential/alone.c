// One thread that synchronises all the same.
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>

int __VERIFIER_nondet_int(void);
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
pthread_barrier_t barrier;
pthread_once_t once = PTHREAD_ONCE_INIT;
sem_t semaphore;
int x;

static void count(void) { x = x + 1; }

static void add(int number) {
  pthread_mutex_lock(&mutex);
  x = x + number;
  pthread_mutex_unlock(&mutex);
}

int main(void) {
  pthread_barrier_init(&barrier, 0, 1);
  sem_init(&semaphore, 0, 1);
  for (int i = 0; i < 3; ++i)
    add(1);
  assert(pthread_barrier_wait(&barrier) == PTHREAD_BARRIER_SERIAL_THREAD);
  pthread_once(&once, count);
  pthread_once(&once, count);
  sem_wait(&semaphore);
  assert(sem_trywait(&semaphore) != 0);
  pthread_rwlock_wrlock(&lock);
  assert(pthread_rwlock_tryrdlock(&lock) == EBUSY);
  pthread_rwlock_unlock(&lock);
#ifdef BROKEN
  int wanted = __VERIFIER_nondet_int();
  if (wanted == 1234567)
    add(wanted);
#endif
  assert(x == 4);
  pthread_mutex_lock(&mutex);
  pthread_mutex_lock(&mutex); // for ever
  assert(0);
  return 0;
}
