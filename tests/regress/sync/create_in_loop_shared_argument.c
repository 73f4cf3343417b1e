// Threads created in a loop that all read the loop variable.
#include <assert.h>
#include <pthread.h>
void reach_error(void);
static int sum;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static void* worker(void* p) {
  pthread_mutex_lock(&lock);
  sum += *(int*)p;
  pthread_mutex_unlock(&lock);
  return 0;
}
int main(void) {
  pthread_t t[2];
  int i;
  for (i = 0; i < 2; ++i)
    pthread_create(&t[i], 0, worker, &i);
  pthread_join(t[0], 0);
  pthread_join(t[1], 0);
  if (!(sum == 1))
    reach_error();
  return 0;
}
