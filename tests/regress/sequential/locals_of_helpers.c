// A function that is called creates a thread and hands it a local of its own.
#include <assert.h>
#include <pthread.h>

int x;

void *child(void *argument) {
  x = x + *(int *)argument;
  return 0;
}

static void spawn(int number) {
  pthread_t thread;
  int local = number;
  pthread_create(&thread, 0, child, &local);
  x = x + 10;
#ifndef LATE
  pthread_join(thread, 0);
#endif
}

int main(void) {
  spawn(1);
#ifndef LATE
  spawn(2);
#endif
#ifdef BROKEN
  assert(x == 23);
#else
  assert(x <= 23);
#endif
  return 0;
}
