// The result of trylock is ignored.
#include <assert.h>
#include <pthread.h>
void reach_error(void);
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int inside;
static void* worker(void* unused) {
  int got = pthread_mutex_trylock(&lock) == 0;
  inside = inside + 1;
  if (!(inside == 1))
    reach_error();
  inside = inside - 1;
  if (got)
    pthread_mutex_unlock(&lock);
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
