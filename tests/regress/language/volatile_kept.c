// Accesses to volatile and shared memory are neither merged nor dropped: the second read sees the change.
#include <pthread.h>
void reach_error(void);
int x;
static void* worker(void* unused) {
  x = 1;
  return unused;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, worker, 0);
  int a = x;
  int b = x;
  if (a != b)
    reach_error();
  pthread_join(t, 0);
  return 0;
}
