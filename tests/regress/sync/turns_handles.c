// Threads start in turn; another thread than their creator joins each of them, by a handle that is
// handed over.
extern void reach_error(void);
#include <pthread.h>

#ifndef N
#define N 20
#endif

pthread_t handle;
int count;

static void *add(void *unused) {
  (void)unused;
  count++;
  return 0;
}

static void *join_it(void *unused) {
  (void)unused;
  pthread_join(handle, 0);
  return 0;
}

int main(void) {
  for (int i = 0; i < N; i++) {
    pthread_t joiner;
    pthread_create(&handle, 0, add, 0);
    pthread_create(&joiner, 0, join_it, 0);
    pthread_join(joiner, 0);
  }
#ifdef BROKEN
  if (count == N)
    reach_error();
#else
  if (count != N)
    reach_error();
#endif
  return 0;
}
