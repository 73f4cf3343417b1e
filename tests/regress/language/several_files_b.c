// The other half of several_files_a.c.
#include <pthread.h>
int counter;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int helper(void) { return 2; }
int helper_b(void) { return helper(); }
void increment(void) {
  pthread_mutex_lock(&lock);
  counter = counter + 1;
  pthread_mutex_unlock(&lock);
}
