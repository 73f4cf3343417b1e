// Two source files, linked: shared globals and functions, and static ones of the same name.
#include <assert.h>
#include <pthread.h>
extern int counter;
void increment(void);
static int helper(void) { return 1; }
int helper_b(void);
static void* worker(void* unused) {
  increment();
  return unused;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, worker, 0);
  pthread_create(&b, 0, worker, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(counter == 2);
  assert(helper() == 1 && helper_b() == 2);
  return 0;
}
