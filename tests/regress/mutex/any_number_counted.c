// The number of threads that were started is used for something else, too.
#include <pthread.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);
static void* worker(void* unused) { return unused; }
int main(void) {
  const int count = __VERIFIER_nondet_int();
  __VERIFIER_assume(count >= 0 && count < 6);
  pthread_t* const threads = malloc(count * sizeof *threads);
  int started = 0;
  while (started < count) {
    pthread_create(&threads[started], 0, worker, 0);
    started++;
  }
  if (started == 3)
    reach_error();
  for (int i = 0; i < count; i++)
    pthread_join(threads[i], 0);
  free(threads);
  return 0;
}
