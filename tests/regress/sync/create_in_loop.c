// Threads created in a loop, handles in an array, arguments in another.
#include <stdatomic.h>
#include <assert.h>
#include <pthread.h>
enum { kThreads = 3 };
static atomic_int sum;
static int argument[kThreads];
static void* worker(void* p) {
  atomic_fetch_add(&sum, *(int*)p);
  return 0;
}
int main(void) {
  pthread_t t[kThreads];
  for (int i = 0; i < kThreads; ++i) {
    argument[i] = i + 1;
    pthread_create(&t[i], 0, worker, &argument[i]);
  }
  for (int i = 0; i < kThreads; ++i)
    pthread_join(t[i], 0);
  assert(sum == 6);
  return 0;
}
