// What cannot be sequentialized is said with its place.
#include <pthread.h>
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t condition = PTHREAD_COND_INITIALIZER;

int main(void) {
  pthread_mutex_lock(&mutex);
  __VERIFIER_atomic_begin();
  pthread_cond_wait(&condition, &mutex);
  __VERIFIER_atomic_end();
  return 0;
}
