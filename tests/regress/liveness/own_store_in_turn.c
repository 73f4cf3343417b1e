// A thread that waits in a loop, and stores to memory of its own on the way: nobody else can see that.
#include <pthread.h>
#include <stdatomic.h>

static atomic_int flag, other;

static void* run(void* argument) {
  volatile int own = 0;
#ifdef UPDATES
  atomic_fetch_add(&other, -1);
#endif
#if defined(SAME)
  while (atomic_load(&flag) < 1)
    own = 0;
#elif defined(ONCE)
  while (atomic_load(&flag) < 1)
    own = 1;
#elif defined(LOOKS)
  while (atomic_load(&flag) < 1)
    if (own != 5)
      own = 0;
#elif defined(BACK)
  while (atomic_load(&flag) < 1) {
    own = 1;
    own = 0;
  }
#elif defined(AROUND)
  while (atomic_load(&flag) < 1) {
    own++;
    if (own == 3)
      own = 0;
  }
#elif defined(COUNTS)
  while (atomic_load(&flag) < 1)
    if (own++ == 3)
      break;
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
  return 0;
}
