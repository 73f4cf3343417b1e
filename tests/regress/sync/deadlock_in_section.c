// A thread that waits for a mutex inside an atomic section keeps its owner from giving it back.
#include <pthread.h>
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static void* worker(void* unused) {
  __VERIFIER_atomic_begin();
  pthread_mutex_lock(&m);
  pthread_mutex_unlock(&m);
  __VERIFIER_atomic_end();
  return unused;
}
int main(void) {
  pthread_t a;
  pthread_create(&a, 0, worker, 0);
  pthread_mutex_lock(&m);
  pthread_mutex_unlock(&m);
  pthread_join(a, 0);
  return 0;
}
