// The mutex is held by a thread that waits for it again, but a third one gives it back: there is a
// moment at which the owner waits for itself.
#include <pthread.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static void* releaser(void* unused) {
  pthread_mutex_unlock(&m);
  return unused;
}
int main(void) {
  pthread_t a;
  pthread_mutex_lock(&m);
  pthread_create(&a, 0, releaser, 0);
  pthread_mutex_lock(&m);
  pthread_join(a, 0);
  return 0;
}
