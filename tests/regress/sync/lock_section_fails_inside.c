// A violation inside a section, and another one that can be met only if the first is not one.
#include <pthread.h>
void reach_error(void);
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int x;
void* add(void* unused) {
  pthread_mutex_lock(&lock);
  x = x + 1;
  if (x == 2)
    reach_error();
  pthread_mutex_unlock(&lock);
  return 0;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, add, 0);
  pthread_create(&b, 0, add, 0);
  pthread_mutex_lock(&lock);
  if (x == 2)
    reach_error();
  pthread_mutex_unlock(&lock);
  return 0;
}
