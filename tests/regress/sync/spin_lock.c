// A POSIX spin lock excludes.
#include <assert.h>
#include <pthread.h>
pthread_spinlock_t lock;
int inside;
static void* worker(void* unused) {
  pthread_spin_lock(&lock);
  inside = inside + 1;
  assert(inside == 1);
  inside = inside - 1;
  pthread_spin_unlock(&lock);
  return unused;
}
int main(void) {
  pthread_t a, b;
  pthread_spin_init(&lock, PTHREAD_PROCESS_PRIVATE);
  pthread_create(&a, 0, worker, 0);
  pthread_create(&b, 0, worker, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  pthread_spin_destroy(&lock);
  return 0;
}
