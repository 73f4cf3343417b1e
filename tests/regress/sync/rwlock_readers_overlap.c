// Two readers may be inside at once.
#include <stdatomic.h>
#include <assert.h>
#include <pthread.h>
void reach_error(void);
pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
atomic_int readers;
static void* reader(void* unused) {
  pthread_rwlock_rdlock(&lock);
  if (atomic_fetch_add(&readers, 1) == 1)
    reach_error();
  atomic_fetch_sub(&readers, 1);
  pthread_rwlock_unlock(&lock);
  return unused;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, reader, 0);
  pthread_create(&b, 0, reader, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
