// A lock of each kind is used after it was destroyed, which is undefined; initialised again it is as new.
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

pthread_mutex_t mutex;
pthread_cond_t condition;
pthread_rwlock_t both;
pthread_spinlock_t spin;
pthread_barrier_t barrier;
sem_t semaphore;
int done;

static void *use(void *unused) {
  (void)unused;
#if defined(CONDITION)
  pthread_cond_signal(&condition);
#elif defined(READ_WRITE)
  pthread_rwlock_rdlock(&both);
  pthread_rwlock_unlock(&both);
#elif defined(SPIN)
  pthread_spin_lock(&spin);
  pthread_spin_unlock(&spin);
#elif defined(BARRIER)
  pthread_barrier_wait(&barrier);
#elif defined(SEMAPHORE)
  sem_post(&semaphore);
#else
  pthread_mutex_lock(&mutex);
  pthread_mutex_unlock(&mutex);
#endif
  return 0;
}

int main(void) {
  pthread_mutex_init(&mutex, 0);
  pthread_cond_init(&condition, 0);
  pthread_rwlock_init(&both, 0);
  pthread_spin_init(&spin, 0);
  pthread_barrier_init(&barrier, 0, 1);
  sem_init(&semaphore, 0, 1);
  use(0);
#if defined(CONDITION)
  pthread_cond_destroy(&condition);
#elif defined(READ_WRITE)
  pthread_rwlock_destroy(&both);
#elif defined(SPIN)
  pthread_spin_destroy(&spin);
#elif defined(BARRIER)
  pthread_barrier_destroy(&barrier);
#elif defined(SEMAPHORE)
  sem_destroy(&semaphore);
#else
  pthread_mutex_destroy(&mutex);
#endif
#ifdef AGAIN
  pthread_mutex_init(&mutex, 0);
#endif
  pthread_t thread;
  pthread_create(&thread, 0, use, 0);
  pthread_join(thread, 0);
  done = 1;
  assert(done);
  return 0;
}
