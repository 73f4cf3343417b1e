// Batches of threads that are joined before the next ones start.
extern void reach_error(void);
#include <pthread.h>

#define BATCHES 14
#define SIZE 3

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int count;

static void *add(void *unused) {
  (void)unused;
#ifndef BROKEN
  pthread_mutex_lock(&lock);
#endif
  int was = count;
  count = was + 1;
#ifndef BROKEN
  pthread_mutex_unlock(&lock);
#endif
  return 0;
}

int main(void) {
  pthread_t threads[SIZE];
  for (int i = 0; i < BATCHES; i++) {
    for (int j = 0; j < SIZE; j++)
      pthread_create(&threads[j], 0, add, 0);
    for (int j = 0; j < SIZE; j++)
      pthread_join(threads[j], 0);
  }
  if (count != BATCHES * SIZE)
    reach_error();
  return 0;
}
