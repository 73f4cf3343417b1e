// Two threads that join each other wait for ever.
#include <assert.h>
#include <pthread.h>

pthread_t initial;
pthread_t first;
pthread_t second;
int has_started;
pthread_mutex_t handles_known = PTHREAD_MUTEX_INITIALIZER;

static void* join_after_start(pthread_t* other) {
  pthread_mutex_lock(&handles_known);
  pthread_mutex_unlock(&handles_known);
  pthread_join(*other, NULL);
  return NULL;
}

void* join_initial(void* unused) {
  (void)unused;
  has_started = 1;
  return join_after_start(&initial);
}
void* join_second(void* unused) {
  (void)unused;
  return join_after_start(&second);
}
void* join_first(void* unused) {
  (void)unused;
#ifdef ONE_WAY
  return NULL;
#else
  return join_after_start(&first);
#endif
}

int main(void) {
  pthread_mutex_lock(&handles_known);
#ifdef INITIAL
  initial = pthread_self();
  pthread_create(&first, NULL, join_initial, NULL);
  pthread_mutex_unlock(&handles_known);
  assert(!has_started);
  pthread_join(first, NULL);
  return 0;
#else
  pthread_create(&first, NULL, join_second, NULL);
  pthread_create(&second, NULL, join_first, NULL);
  pthread_mutex_unlock(&handles_known);
  pthread_exit(NULL);
#endif
}
