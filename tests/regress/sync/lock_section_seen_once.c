// A section of a lock in which one step can be seen by who does not take it.
#include <pthread.h>
void reach_error(void);
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int count, published;
void* add(void* unused) {
  pthread_mutex_lock(&lock);
  count = count + 1;
  published = count;
  count = count + 1;
  pthread_mutex_unlock(&lock);
  return 0;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, add, 0);
  pthread_create(&b, 0, add, 0);
  int first = published;
  int second = published;
  if (first > second)
    reach_error();
#ifdef SEEN
  if (first == 1 && second == 3)
    reach_error();
#endif
  return 0;
}
