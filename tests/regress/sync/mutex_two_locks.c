// Two different locks protect nothing.
#include <assert.h>
#include <pthread.h>
void reach_error(void);
pthread_mutex_t lock[2];
int counter;
static void* worker(void* argument) {
  pthread_mutex_t* mine = argument;
  pthread_mutex_lock(mine);
  counter = counter + 1;
  pthread_mutex_unlock(mine);
  return 0;
}
int main(void) {
  pthread_t a, b;
  pthread_mutex_init(&lock[0], 0);
  pthread_mutex_init(&lock[1], 0);
  pthread_create(&a, 0, worker, &lock[0]);
  pthread_create(&b, 0, worker, &lock[1]);
  pthread_join(a, 0);
  pthread_join(b, 0);
  if (!(counter == 2))
    reach_error();
  return 0;
}
