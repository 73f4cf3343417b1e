// Equal threads, but the one that is joined first may have been the second to run.
#include <assert.h>
#include <pthread.h>
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int count, both;
static void* add(void* unused) {
  pthread_mutex_lock(&lock);
  count = count + 1;
  if (count == 2)
    both = 1;
  pthread_mutex_unlock(&lock);
  return unused;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, add, 0);
  pthread_create(&b, 0, add, 0);
  pthread_join(a, 0);
  pthread_mutex_lock(&lock);
  int seen = both;
  pthread_mutex_unlock(&lock);
  pthread_join(b, 0);
  assert(count == 2);
  assert(seen == EXPECTED);
  return 0;
}
