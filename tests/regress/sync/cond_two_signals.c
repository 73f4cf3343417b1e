// Two waiters, two signals, a predicate each: no signal is lost on a thread that does not wait.
#include <pthread.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t c = PTHREAD_COND_INITIALIZER;
int ready;
static void* waiter(void* unused) {
  pthread_mutex_lock(&m);
  while (ready == 0)
    pthread_cond_wait(&c, &m);
  --ready;
  pthread_mutex_unlock(&m);
  return unused;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, waiter, 0);
  pthread_create(&b, 0, waiter, 0);
  for (int i = 0; i < 2; ++i) {
    pthread_mutex_lock(&m);
    ++ready;
    pthread_cond_signal(&c);
    pthread_mutex_unlock(&m);
  }
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
