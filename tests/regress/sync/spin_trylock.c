// The try form of a spin lock.
#include <errno.h>
#include <assert.h>
#include <pthread.h>
pthread_spinlock_t lock;
int main(void) {
  pthread_spin_init(&lock, PTHREAD_PROCESS_PRIVATE);
  assert(pthread_spin_trylock(&lock) == 0);
  assert(pthread_spin_trylock(&lock) == EBUSY);
  pthread_spin_unlock(&lock);
  assert(pthread_spin_trylock(&lock) == 0);
  return 0;
}
