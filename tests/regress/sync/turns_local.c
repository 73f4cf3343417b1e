// Thread-local variables begin anew in each of 40 threads, whosever place they lie in.
extern void reach_error(void);
#include <pthread.h>

#define N 40

static __thread int own = 5;
int seen;
#ifdef SHOWN
int *shown;
#endif

static void *use(void *unused) {
  (void)unused;
#ifdef SHOWN
  shown = &own;
#endif
#ifdef BROKEN
  if (own == 5 && ++seen == N)
    reach_error();
#else
  if (own != 5)
    reach_error();
#endif
  own++;
  return 0;
}

int main(void) {
  for (int i = 0; i < N; i++) {
    pthread_t thread;
    pthread_create(&thread, 0, use, 0);
    pthread_join(thread, 0);
#ifdef SHOWN
    shown = 0;
#endif
  }
  return 0;
}
