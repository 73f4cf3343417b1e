// The threads take turns by value: the accesses can never both happen.
#include <pthread.h>
#include <stdatomic.h>
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int turn, x;
static void* first(void* unused) {
  pthread_mutex_lock(&lock);
  int mine = turn == 0;
  if (mine)
    turn = 1;
  pthread_mutex_unlock(&lock);
  if (mine)
    x = 1;
  return unused;
}
static void* second(void* unused) {
  pthread_mutex_lock(&lock);
  int mine = turn == 0;
  if (mine)
    turn = 2;
  pthread_mutex_unlock(&lock);
  if (mine)
    x = 2;
  return unused;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, first, 0);
  pthread_create(&b, 0, second, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
