// A ticket lock whose tickets are drawn without atomicity: two threads may get one ticket, and then
// the next one is never served.
#include <pthread.h>
volatile int next, serving;
static void* worker(void* unused) {
  int mine = next;
  next = mine + 1;
  while (serving != mine)
    ;
  serving = mine + 1;
  return unused;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, worker, 0);
  pthread_create(&b, 0, worker, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
