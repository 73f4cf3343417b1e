// A pointer to a local of a thread that has ended.
#include <pthread.h>
static void* worker(void* argument) {
  int local = 1;
  *(int**)argument = &local;
  return 0;
}
int main(void) {
  pthread_t t;
  int* p = 0;
  pthread_create(&t, 0, worker, &p);
  pthread_join(t, 0);
  return *p;
}
