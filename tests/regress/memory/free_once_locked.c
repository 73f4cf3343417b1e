// The same with a lock: freed exactly once.
#include <pthread.h>
#include <stdlib.h>
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
void* p;
static void* release(void* unused) {
  pthread_mutex_lock(&lock);
  void* mine = p;
  if (mine) {
    p = 0;
    free(mine);
  }
  pthread_mutex_unlock(&lock);
  return unused;
}
int main(void) {
  pthread_t t;
  p = malloc(1);
  pthread_create(&t, 0, release, 0);
  release(0);
  pthread_join(t, 0);
  return 0;
}
