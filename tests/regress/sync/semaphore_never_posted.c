// A wait for a semaphore nobody posts.
#include <semaphore.h>
#include <assert.h>
#include <pthread.h>
sem_t posted;
int main(void) {
  sem_init(&posted, 0, 0);
  sem_wait(&posted);
  return 0;
}
