// Main takes a lock twice, but not before a loop that is longer than the bounds: within them no run comes to its end, and
// threads that wait for ever are not seen. The verdict says so first.
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static atomic_int more;

static void *worker(void *argument) {
  pthread_mutex_lock(&lock);
  pthread_mutex_unlock(&lock);
  return argument;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, worker, 0);
  pthread_join(thread, 0);
  for (int i = 0; i < 1000 + more; i++)
    more = 0;
  pthread_mutex_lock(&lock);
  pthread_mutex_lock(&lock);
  return 0;
}
