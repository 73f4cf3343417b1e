// Detached threads, each waited for by a semaphore. One may still be on its way to its end when the
// next one starts.
extern void reach_error(void);
#include <pthread.h>
#include <semaphore.h>

#ifndef N
#define N 40
#endif

sem_t done;
int count;

static void *add(void *unused) {
  (void)unused;
  count++;
  sem_post(&done);
  return 0;
}

int main(void) {
  sem_init(&done, 0, 0);
  for (int i = 0; i < N; i++) {
    pthread_t thread;
    pthread_create(&thread, 0, add, 0);
    pthread_detach(thread);
    sem_wait(&done);
  }
#ifdef BROKEN
  if (count == N)
    reach_error();
#else
  if (count != N)
    reach_error();
#endif
  return 0;
}
