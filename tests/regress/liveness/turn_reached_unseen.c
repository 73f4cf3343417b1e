// Loops that nobody sees: a thread is in the last of its ways around them only after others, which differ.
#include <pthread.h>
#include <stdatomic.h>

static atomic_int flag;

static void* backs_off(void* argument) {
  int own[2] = {0, 0};
  (void)own;
  int pause = 1;
  while (atomic_load(&flag) < 1) {
    for (int i = 0; i < pause; i++)
      ;
    if (pause < 4)
      pause *= 2;
  }
  return argument;
}

static void* waits(void* argument) {
  int own[2] = {0, 0};
  (void)own;
  while (atomic_load(&flag) < 1)
    ;
  return argument;
}

int main(void) {
#ifdef IN_MAIN
  int n = 0, own[2] = {0, 0};
  while (atomic_load(&flag) < 1) {
    own[0] = 1;
    own[1] = n;
  }
#else
  int own[2] = {0, 0};
  (void)own;
  pthread_t one, two;
  pthread_create(&one, 0, backs_off, 0);
  pthread_create(&two, 0, waits, 0);
  pthread_join(one, 0);
  pthread_join(two, 0);
#endif
  return 0;
}
