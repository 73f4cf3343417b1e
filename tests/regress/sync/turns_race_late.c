// A detached thread has ended for all that the others know, and its index may serve again; nothing
// orders what it did before what the next ones do.
#include <pthread.h>
#include <stdatomic.h>

#ifndef N
#define N 40
#endif

int x;
atomic_int done;

static void *use(void *mine) {
  if (mine)
    x++;
  atomic_store_explicit(&done, 1, memory_order_relaxed);
  return 0;
}

int main(void) {
  for (int i = 0; i < N; i++) {
    pthread_t thread;
    pthread_create(&thread, 0, use, i == N - 2 || i == N - 1 ? &x : 0);
    pthread_detach(thread);
    while (!atomic_load_explicit(&done, memory_order_relaxed)) {
    }
    atomic_store_explicit(&done, 0, memory_order_relaxed);
  }
  return 0;
}
