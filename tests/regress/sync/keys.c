// Thread-specific data: each thread its own value, null at first; the destructor runs at thread exit.
#include <assert.h>
#include <pthread.h>
pthread_key_t key;
int destroyed[2];
static void destroy(void* value) { *(int*)value = 1; }
static void* worker(void* argument) {
  assert(pthread_getspecific(key) == 0);
  pthread_setspecific(key, argument);
  assert(pthread_getspecific(key) == argument);
  return 0;
}
int main(void) {
  pthread_t a, b;
  pthread_key_create(&key, destroy);
  pthread_create(&a, 0, worker, &destroyed[0]);
  pthread_create(&b, 0, worker, &destroyed[1]);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(destroyed[0] == 1 && destroyed[1] == 1);
  assert(pthread_getspecific(key) == 0);
  pthread_key_delete(key);
  return 0;
}
