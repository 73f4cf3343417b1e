// pthread_create stores the handle before the new thread runs, as C libraries do; POSIX leaves it open.
#include <assert.h>
#include <pthread.h>

static pthread_t thread;
static pthread_t pair[2];
static int ready;

static void *look(void *argument) {
  (void)argument;
  assert(pthread_equal(thread, pthread_self()));
  return 0;
}

static void *join_first(void *argument) {
  (void)argument;
  return 0;
}

static void *join_other(void *argument) {
  (void)argument;
  pthread_join(pair[0], 0);
  ready = 1;
  return 0;
}

#ifdef POINTER
static void *(*functions[2])(void *) = {join_first, look};
#endif

int main(void) {
#ifdef POINTER
  pthread_create(&thread, 0, functions[1], 0);
#else
  pthread_create(&thread, 0, look, 0);
#endif
  pthread_join(thread, 0);
  pthread_create(&pair[0], 0, join_first, 0);
  pthread_create(&pair[1], 0, join_other, 0);
  pthread_join(pair[1], 0);
  assert(ready == 1);
  return 0;
}
