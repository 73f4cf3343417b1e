// Only the thread whose trylock succeeds goes in.
#include <assert.h>
#include <pthread.h>
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int inside;
static void* worker(void* unused) {
  if (pthread_mutex_trylock(&lock) == 0) {
    inside = inside + 1;
    assert(inside == 1);
    inside = inside - 1;
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
