// Two threads add to an account; without the lock one of the sums is lost.
#include <assert.h>
#include <pthread.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static double balance = 100.0;
static void* add(void* share) {
#ifndef UNLOCKED
  pthread_mutex_lock(&m);
#endif
  balance = balance + 50 * *(float*)share;
#ifndef UNLOCKED
  pthread_mutex_unlock(&m);
#endif
  return 0;
}
int main(void) {
  pthread_t t, u;
  float quarter = 0.25f, half = 0.5f;
  pthread_create(&t, 0, add, &quarter);
  pthread_create(&u, 0, add, &half);
  pthread_join(t, 0);
  pthread_join(u, 0);
  assert(balance == 137.5);
  return 0;
}
