// Spins on a flag that the other thread sets in the end.
#include <pthread.h>
volatile int flag;
static void* worker(void* unused) {
  while (flag == 0)
    ;
  return unused;
}
int main(void) {
  pthread_t a;
  pthread_create(&a, 0, worker, 0);
  flag = 1;
  pthread_join(a, 0);
  return 0;
}
