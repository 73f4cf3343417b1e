// A semaphore orders what was before the post and what is after the wait.
#include <semaphore.h>
#include <assert.h>
#include <pthread.h>
sem_t posted;
int data;
static void* producer(void* unused) {
  data = 1;
  sem_post(&posted);
  return unused;
}
static void* consumer(void* unused) {
  sem_wait(&posted);
  assert(data == 1);
  return unused;
}
int main(void) {
  pthread_t a, b;
  sem_init(&posted, 0, 0);
  pthread_create(&a, 0, producer, 0);
  pthread_create(&b, 0, consumer, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  sem_destroy(&posted);
  return 0;
}
