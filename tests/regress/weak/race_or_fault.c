// A fault that can be reached is no race, and the race beside it is found all the same.
#include <pthread.h>

int *nothing;
int shared;

static void *run(void *argument) {
#ifdef RACE
  shared = 1;
#endif
  return argument;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, run, 0);
#ifdef RACE
  if (shared)
    *nothing = 1;
#else
  pthread_join(thread, 0);
  *nothing = shared;
#endif
  return 0;
}
