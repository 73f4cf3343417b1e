// As many threads as one likes are started, kept in an array and joined; a lock keeps them apart.
#include <pthread.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int inside;
static void* worker(void* unused) {
  pthread_mutex_lock(&m);
  inside++;
  if (inside != 1)
    reach_error();
  inside--;
  pthread_mutex_unlock(&m);
  return unused;
}
int main(void) {
  const int count = __VERIFIER_nondet_int();
  __VERIFIER_assume(count >= 0);
  pthread_t* const threads = malloc(count * sizeof *threads);
  for (int i = 0; i < count; i++)
    pthread_create(&threads[i], 0, worker, 0);
  pthread_mutex_lock(&m);
  if (inside != 0)
    reach_error();
  pthread_mutex_unlock(&m);
  for (int i = 0; i < count; i++)
    pthread_join(threads[i], 0);
  free(threads);
  return 0;
}
