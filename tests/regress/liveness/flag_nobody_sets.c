// Spins on a flag that nobody sets; main waits for the spinner.
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
  pthread_join(a, 0);
  return 0;
}
