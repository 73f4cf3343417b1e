// A thread that is created as detached must not be joined; one that was set back to joinable may.
#include <assert.h>
#include <pthread.h>
static int done;
static void* run(void* unused) {
  __atomic_store_n(&done, 1, __ATOMIC_RELEASE);
  return unused;
}
int main(void) {
  pthread_attr_t attributes;
  pthread_t t;
  int state = -1;
  pthread_attr_init(&attributes);
  pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
  pthread_attr_getdetachstate(&attributes, &state);
  assert(state == PTHREAD_CREATE_DETACHED);
#ifndef JOINED
  pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_JOINABLE);
#endif
  pthread_create(&t, &attributes, run, 0);
  pthread_attr_destroy(&attributes);
  pthread_join(t, 0);
  assert(done);
  return 0;
}
