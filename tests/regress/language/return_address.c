// Where a lock was taken is noted with it, as kernels do.
#include <pthread.h>
extern void reach_error(void);
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
void* taken_at;
int counter;
static void take(void) {
  pthread_mutex_lock(&m);
  taken_at = __builtin_return_address(0);
}
static void* worker(void* unused) {
  take();
  counter++;
  pthread_mutex_unlock(&m);
  return unused;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, worker, 0);
  pthread_create(&b, 0, worker, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  if (counter != 2)
    reach_error();
  return 0;
}
