// sched_yield and sleep have no effect.
#include <sched.h>
#include <unistd.h>
#include <assert.h>
#include <pthread.h>
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int counter;
static void* worker(void* unused) {
  sched_yield();
  pthread_mutex_lock(&lock);
  counter = counter + 1;
  usleep(10);
  pthread_mutex_unlock(&lock);
  sleep(1);
  return unused;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, worker, 0);
  pthread_create(&b, 0, worker, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(counter == 2);
  return 0;
}
