// Loops that a count could end, if it were ever raised: the thread waits in them, and the run does not come to an end there.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int flag;

static void wait_head(int i) {
  while (i < 3)
    if (atomic_load(&flag))
      break;
}

static void wait_foot(int i) {
  do {
    if (atomic_load(&flag))
      return;
  } while (i < 3);
}

static void wait_raised(int i) {
  while (i < 3)
    if (atomic_load(&flag))
      i++;
}

static void* run(void* argument) {
  WAIT(0);
#ifdef BEHIND
  assert(0);
#endif
  return argument;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, run, 0);
#ifdef SETS
  atomic_store(&flag, 1);
#endif
  pthread_join(thread, 0);
#ifndef SETS
  assert(0);
#endif
  return 0;
}
