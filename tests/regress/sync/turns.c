// N threads, one after the other: each is joined before the next one starts.
extern void reach_error(void);
#include <pthread.h>

#ifndef N
#define N 40
#endif

int count;

static void *add(void *unused) {
  (void)unused;
  count++;
  return 0;
}

int main(void) {
  for (int i = 0; i < N; i++) {
    pthread_t thread;
    pthread_create(&thread, 0, add, 0);
    pthread_join(thread, 0);
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
