// Who takes the lock and then waits for ever keeps the others out.
#include <pthread.h>
void reach_error(void);
void __VERIFIER_assume(int);
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int x;
void* keep(void* unused) {
  pthread_mutex_lock(&lock);
  x = 1;
  __VERIFIER_assume(x == 2);
  pthread_mutex_unlock(&lock);
  return 0;
}
int main(void) {
  pthread_t a;
  pthread_create(&a, 0, keep, 0);
  pthread_mutex_lock(&lock);
  if (x == 1)
    reach_error();
  pthread_mutex_unlock(&lock);
  return 0;
}
