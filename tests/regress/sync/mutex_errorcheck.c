// An error-checking mutex reports a second lock and a foreign unlock instead of blocking.
#define _GNU_SOURCE
#include <errno.h>
#include <assert.h>
#include <pthread.h>
pthread_mutex_t lock;
static void* other(void* unused) {
  assert(pthread_mutex_unlock(&lock) == EPERM);
  return unused;
}
int main(void) {
  pthread_t t;
  pthread_mutexattr_t attributes;
  pthread_mutexattr_init(&attributes);
  pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_ERRORCHECK);
  pthread_mutex_init(&lock, &attributes);
  assert(pthread_mutex_lock(&lock) == 0);
  assert(pthread_mutex_lock(&lock) == EDEADLK);
  pthread_create(&t, 0, other, 0);
  pthread_join(t, 0);
  assert(pthread_mutex_unlock(&lock) == 0);
  assert(pthread_mutex_unlock(&lock) == EPERM);
  return 0;
}
