// A condition variable waited on under `if`: pthread_cond_wait may return without a signal, so the waiter must look again.
// heddle verify examples/condition_if.c
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t filled = PTHREAD_COND_INITIALIZER;
static int items;

static void *consumer(void *unused) {
  pthread_mutex_lock(&lock);
  if (items == 0)
    pthread_cond_wait(&filled, &lock);
  assert(items > 0);
  items--;
  pthread_mutex_unlock(&lock);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, consumer, 0);
  pthread_mutex_lock(&lock);
  items++;
  pthread_cond_signal(&filled);
  pthread_mutex_unlock(&lock);
  pthread_join(thread, 0);
  return 0;
}
