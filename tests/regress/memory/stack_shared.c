// A thread works on a local of its creator, who waits for it.
#include <pthread.h>
static void* worker(void* argument) {
  *(int*)argument = 1;
  return 0;
}
int main(void) {
  pthread_t t;
  int local = 0;
  pthread_create(&t, 0, worker, &local);
  pthread_join(t, 0);
  return local - 1;
}
