// A section of a lock in which two steps can be seen by who does not take it.
#include <pthread.h>
void reach_error(void);
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int x, y;
void* set(void* unused) {
  pthread_mutex_lock(&lock);
  x = 1;
  y = 1;
  pthread_mutex_unlock(&lock);
  return 0;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, set, 0);
  pthread_create(&b, 0, set, 0);
  int early = x;
  if (early == 1 && y == 0)
    reach_error();
  return 0;
}
