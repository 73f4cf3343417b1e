// No destructor call for a null value, nor for a key without destructor.
#include <assert.h>
#include <pthread.h>
pthread_key_t with, without;
int calls;
static void destroy(void* value) {
  (void)value;
  calls = calls + 1;
}
static void* worker(void* argument) {
  pthread_setspecific(with, argument);
  pthread_setspecific(with, 0);
  pthread_setspecific(without, argument);
  return 0;
}
int main(void) {
  pthread_t a;
  pthread_key_create(&with, destroy);
  pthread_key_create(&without, 0);
  pthread_create(&a, 0, worker, &calls);
  pthread_join(a, 0);
  assert(calls == 0);
  return 0;
}
