// A counter that one thread increments under the lock and the other reads without it.
// heddle verify examples/counter_race.c --property race
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int counter;
static int seen;

static void add(void) {
  pthread_mutex_lock(&lock);
  counter++;
  pthread_mutex_unlock(&lock);
}

static void *worker(void *unused) {
  add();
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, worker, 0);
  seen = counter;
  pthread_join(thread, 0);
  return seen;
}
