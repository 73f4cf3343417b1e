/* Its only violation is a run of 200,000 steps, which is replayed and made smaller. */
#include <assert.h>
#include <pthread.h>

int x;

void *count(void *argument) {
  for (int i = 0; i < 100000; i++)
    x++;
  return argument;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, count, 0);
  pthread_join(t, 0);
  assert(x == 5);
  return 0;
}
