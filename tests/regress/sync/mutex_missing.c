// The same counter without a lock loses an update.
#include <assert.h>
#include <pthread.h>
void reach_error(void);
int counter;
static void* worker(void* unused) {
  counter = counter + 1;
  return unused;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, worker, 0);
  pthread_create(&b, 0, worker, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  if (!(counter == 2))
    reach_error();
  return 0;
}
