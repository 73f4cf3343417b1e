// Two threads at a time, 40 in all. Those of one pair do not race, nor do the pairs: they are
// joined. BROKEN: the last two race; LATE: a detached one with one that gets its index later.
#include <pthread.h>

#define N 20

int x, y;

static void *first(void *last) {
  (void)last;
  x++;
  return 0;
}

static void *second(void *last) {
#ifdef BROKEN
  if (last)
    x++;
#endif
  (void)last;
  y++;
  return 0;
}

int main(void) {
  for (int i = 0; i < N; i++) {
    pthread_t one, two;
    void *last = i == N - 1 ? &x : 0;
    pthread_create(&one, 0, first, last);
    pthread_create(&two, 0, second, last);
    pthread_join(one, 0);
    pthread_join(two, 0);
  }
  return 0;
}
