// A recursive mutex may be locked again by its owner; it is free after as many unlocks.
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
pthread_mutex_t lock = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
int inside;
static void enter(int depth) {
  pthread_mutex_lock(&lock);
  if (depth)
    enter(depth - 1);
  else {
    inside = inside + 1;
    assert(inside == 1);
    inside = inside - 1;
  }
  pthread_mutex_unlock(&lock);
}
static void* worker(void* unused) {
  enter(1);
  return unused;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, worker, 0);
  pthread_create(&b, 0, worker, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
