// A function pointer that another thread changes: both targets are possible.
#include <pthread.h>
void reach_error(void);
static void good(void) {}
static void bad(void) { reach_error(); }
static void (*volatile f)(void) = good;
static void* worker(void* unused) {
  f = bad;
  return unused;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, worker, 0);
  f();
  pthread_join(t, 0);
  return 0;
}
