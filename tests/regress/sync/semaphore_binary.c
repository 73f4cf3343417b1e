// A semaphore of one excludes.
#include <semaphore.h>
#include <stdatomic.h>
#include <assert.h>
#include <pthread.h>
void reach_error(void);
sem_t free_places;
atomic_int inside;
static void* worker(void* unused) {
  sem_wait(&free_places);
  if (atomic_fetch_add(&inside, 1) != 0)
    reach_error();
  atomic_fetch_sub(&inside, 1);
  sem_post(&free_places);
  return unused;
}
int main(void) {
  pthread_t a, b;
  sem_init(&free_places, 0, 1);
  pthread_create(&a, 0, worker, 0);
  pthread_create(&b, 0, worker, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
