// The same with an array of fixed size, and more threads than a run can have.
#include <pthread.h>
extern void reach_error(void);
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int inside;
static void* worker(void* unused) {
  pthread_mutex_lock(&m);
  inside++;
  if (inside != 1)
    reach_error();
  inside--;
  pthread_mutex_unlock(&m);
  return unused;
}
int main(void) {
  pthread_t threads[10000], one;
  void* result;
  pthread_create(&one, 0, worker, 0);
  for (int i = 0; i < 10000; i++)
    pthread_create(&threads[i], 0, worker, 0);
  pthread_mutex_lock(&m);
  if (inside != 0)
    reach_error();
  pthread_mutex_unlock(&m);
  for (int i = 0; i < 10000; i++)
    pthread_join(threads[i], 0);
  pthread_join(one, &result);
  return 0;
}
