// Misuse that is undefined: each engine has to see it.
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
pthread_barrier_t barrier;
pthread_rwlock_t both = PTHREAD_RWLOCK_INITIALIZER;
int done;

static void *nothing(void *unused) { return unused; }

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, nothing, 0);
#if defined(FRESH)
  pthread_mutex_t *fresh = malloc(sizeof *fresh);
  if (fresh) {
    pthread_mutex_lock(fresh);
    pthread_mutex_unlock(fresh);
    free(fresh);
  }
#elif defined(FRESH_SEMAPHORE)
  sem_t fresh;
  sem_post(&fresh);
#elif defined(BARRIER)
  pthread_barrier_wait(&barrier);
#elif defined(NOT_HELD)
  pthread_cond_wait(&condition, &mutex);
#elif defined(NOT_READ)
  pthread_rwlock_unlock(&both);
#elif defined(TWICE)
  pthread_detach(thread);
  pthread_detach(thread);
#elif defined(NEVER)
  pthread_detach(0);
#elif defined(FREED)
  pthread_cond_t *freed = malloc(sizeof *freed);
  if (freed) {
    pthread_cond_init(freed, 0);
    free(freed);
    pthread_cond_signal(freed);
  }
#elif defined(FREED_WAIT)
  pthread_cond_t *freed = malloc(sizeof *freed);
  free(freed);
  pthread_mutex_lock(&mutex);
  pthread_cond_wait(freed, &mutex);
#elif defined(FRESH_DESTROYED)
  pthread_mutex_t *fresh = malloc(sizeof *fresh);
  if (fresh) {
    assert(pthread_mutex_destroy(fresh) == 0);
    free(fresh);
  }
#endif
  done = 1;
  assert(done);
  return 0;
}
