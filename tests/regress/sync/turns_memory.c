// The local of a thread that has ended is gone, also where a later thread has its index and its
// stack. GOOD: each uses its own only.
#include <pthread.h>

#define N 40

int *volatile last;
int sink;

static void *use(void *is_last) {
  int own = 1;
#ifndef GOOD
  if (is_last)
    sink = *last;
#endif
  last = &own;
  sink = *last;
  (void)is_last;
  return 0;
}

int main(void) {
  for (int i = 0; i < N; i++) {
    pthread_t thread;
    pthread_create(&thread, 0, use, i == N - 1 ? &sink : 0);
    pthread_join(thread, 0);
  }
  return 0;
}
