// Looks at something in each turn of a loop in which it waits: what it looks at is reused or freed
// by who was told that it is done. Only with release and acquire is the last look before that.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#ifdef RELAXED
#define RELEASE memory_order_relaxed
#define ACQUIRE memory_order_relaxed
#else
#define RELEASE memory_order_release
#define ACQUIRE memory_order_acquire
#endif

#ifdef FREED
typedef atomic_int Seen;
#else
typedef int Seen;
#endif

atomic_int stop;
atomic_int done;
Seen* seen;

static void look(void) {
#ifdef FREED
  (void)atomic_load_explicit(seen, memory_order_relaxed);
#else
  int value = *seen;
  (void)value;
#endif
}

void* looker(void* unused) {
  while (!atomic_load_explicit(&stop, memory_order_relaxed))
    look();
  atomic_store_explicit(&done, 1, RELEASE);
  return unused;
}

int main(void) {
  pthread_t thread;
  seen = malloc(sizeof *seen);
  *seen = 0;
  pthread_create(&thread, NULL, looker, NULL);
  atomic_store_explicit(&stop, 1, memory_order_relaxed);
  while (!atomic_load_explicit(&done, ACQUIRE))
    ;
#ifdef FREED
  free(seen);
#else
  *seen = 1;
#endif
  pthread_join(thread, NULL);
  return 0;
}
