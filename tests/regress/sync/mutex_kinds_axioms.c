// Recursive and error-checking mutexes, made by a call or by a store at run time.
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>

pthread_mutex_t mutex;
int count;

static void *other(void *unused) {
  (void)unused;
#ifndef CHECKING
  pthread_mutex_lock(&mutex);
#endif
  pthread_mutex_lock(&mutex);
  count++;
  pthread_mutex_unlock(&mutex);
#ifdef EARLY
  count++;
#endif
#ifndef CHECKING
  pthread_mutex_unlock(&mutex);
#endif
  return 0;
}

int main(void) {
#ifdef CHECKING
  pthread_mutexattr_t attributes;
  pthread_mutexattr_init(&attributes);
  pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_ERRORCHECK);
  pthread_mutex_init(&mutex, &attributes);
  assert(pthread_mutex_unlock(&mutex) == EPERM);
  pthread_mutex_lock(&mutex);
  assert(pthread_mutex_lock(&mutex) == EDEADLK);
  pthread_mutex_unlock(&mutex);
#else
  mutex = (pthread_mutex_t)PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
#endif
  pthread_t thread;
  pthread_create(&thread, 0, other, 0);
  pthread_mutex_lock(&mutex);
  int before = count;
  count = before + 1;
  pthread_mutex_unlock(&mutex);
  pthread_join(thread, 0);
#ifdef EARLY
  assert(count == 3);
#else
  assert(count == 2);
#endif
#ifdef WRONG
  assert(before == 0);
#endif
  return 0;
}
