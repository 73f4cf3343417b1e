// Each of the threads, whose number is chosen, gets another argument.
#include <pthread.h>
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);
static void* worker(void* number) {
  if ((long)number == 2)
    reach_error();
  return 0;
}
int main(void) {
  const int count = __VERIFIER_nondet_int();
  __VERIFIER_assume(count >= 0 && count < 4);
  pthread_t threads[4];
  for (long i = 0; i < count; i++)
    pthread_create(&threads[i], 0, worker, (void*)i);
  for (int i = 0; i < count; i++)
    pthread_join(threads[i], 0);
  return 0;
}
