// Each of the threads that main starts in turn starts two more, in turn.
extern void reach_error(void);
#include <pthread.h>

#define N 15

int count;

static void *add(void *unused) {
  (void)unused;
  count++;
  return 0;
}

static void *start_two(void *unused) {
  (void)unused;
  for (int i = 0; i < 2; i++) {
    pthread_t thread;
    pthread_create(&thread, 0, add, 0);
    pthread_join(thread, 0);
  }
  return 0;
}

int main(void) {
  for (int i = 0; i < N; i++) {
    pthread_t thread;
    pthread_create(&thread, 0, start_two, 0);
    pthread_join(thread, 0);
  }
#ifdef BROKEN
  if (count == 2 * N)
    reach_error();
#else
  if (count != 2 * N)
    reach_error();
#endif
  return 0;
}
