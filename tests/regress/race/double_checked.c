// Double-checked locking with a plain flag.
#include <pthread.h>
#include <stdatomic.h>
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int ready, value, a;
static void* worker(void* unused) {
  if (!ready) {
    pthread_mutex_lock(&lock);
    if (!ready) {
      value = 1;
      ready = 1;
    }
    pthread_mutex_unlock(&lock);
  }
  return unused;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, worker, 0);
  pthread_create(&b, 0, worker, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
