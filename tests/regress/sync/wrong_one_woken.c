// A buffer of one place with one condition for all who wait: a consumer that has taken something
// signals, and may wake the other consumer instead of the producer who waits for room.
#include <pthread.h>

int filled;
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t changed = PTHREAD_COND_INITIALIZER;

#ifdef ALL
#define WAKE pthread_cond_broadcast
#else
#define WAKE pthread_cond_signal
#endif

static void *put(void *unused) {
  (void)unused;
  pthread_mutex_lock(&mutex);
  while (filled == 1)
    pthread_cond_wait(&changed, &mutex);
  filled++;
  WAKE(&changed);
  pthread_mutex_unlock(&mutex);
  return 0;
}

static void *take(void *unused) {
  (void)unused;
  pthread_mutex_lock(&mutex);
  while (filled == 0)
    pthread_cond_wait(&changed, &mutex);
  filled--;
  WAKE(&changed);
  pthread_mutex_unlock(&mutex);
  return 0;
}

int main(void) {
  pthread_t threads[4];
  pthread_create(&threads[0], 0, take, 0);
  pthread_create(&threads[1], 0, take, 0);
  pthread_create(&threads[2], 0, put, 0);
  pthread_create(&threads[3], 0, put, 0);
  for (int i = 0; i < 4; i++)
    pthread_join(threads[i], 0);
  return 0;
}
