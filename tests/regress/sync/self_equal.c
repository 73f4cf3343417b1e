// pthread_self and pthread_equal.
#include <assert.h>
#include <pthread.h>
static pthread_t main_thread;
static void* worker(void* unused) {
  assert(!pthread_equal(pthread_self(), main_thread));
  return unused;
}
int main(void) {
  pthread_t t;
  main_thread = pthread_self();
  assert(pthread_equal(main_thread, pthread_self()));
  pthread_create(&t, 0, worker, 0);
  assert(!pthread_equal(t, main_thread));
  pthread_join(t, 0);
  return 0;
}
