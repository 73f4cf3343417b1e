// Who finds a lock taken, or a semaphore posted by looking at its value, knows that the other thread
// has come that far, and is not ordered after what it did before.
#include <pthread.h>
#include <semaphore.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
sem_t s;
int x;

static void *first(void *unused) {
  (void)unused;
  x = 1;
#ifdef VALUE
  sem_post(&s);
#else
  pthread_mutex_lock(&m);
#endif
  return 0;
}

int main(void) {
  pthread_t thread;
  sem_init(&s, 0, 0);
  pthread_create(&thread, 0, first, 0);
#ifdef VALUE
  int value;
  sem_getvalue(&s, &value);
#ifdef WAIT
  if (value != 0)
    sem_wait(&s);
#endif
  if (value != 0)
    x = 2;
#else
  if (pthread_mutex_trylock(&m) != 0)
    x = 2;
#endif
  return 0;
}
