// Handed over by a semaphore.
#include <semaphore.h>
#include <pthread.h>
#include <stdatomic.h>
sem_t s;
int x;
static void* first(void* unused) {
  x = 1;
  sem_post(&s);
  return unused;
}
static void* second(void* unused) {
  sem_wait(&s);
  x = 2;
  return unused;
}
int main(void) {
  pthread_t a, b;
  sem_init(&s, 0, 0);
  pthread_create(&a, 0, first, 0);
  pthread_create(&b, 0, second, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
