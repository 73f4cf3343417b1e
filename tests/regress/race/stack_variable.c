// A local of main shared with two threads.
#include <pthread.h>
static void* worker(void* p) {
  *(int*)p = 1;
  return 0;
}
int main(void) {
  pthread_t t, u;
  int local = 0;
  pthread_create(&t, 0, worker, &local);
  pthread_create(&u, 0, worker, &local);
  pthread_join(t, 0);
  pthread_join(u, 0);
  return 0;
}
