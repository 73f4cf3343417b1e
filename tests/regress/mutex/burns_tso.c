// Burns' mutual exclusion of two threads (the second one gives way), with a full fence after each flag is raised.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#define LOAD(a) atomic_load_explicit(&(a), memory_order_relaxed)
#define STORE(a, v) atomic_store_explicit(&(a), (v), memory_order_relaxed)
#define FULL_FENCE() atomic_thread_fence(memory_order_seq_cst)
#define STORE_STORE_FENCE() atomic_thread_fence(memory_order_release)

static atomic_int flag1, flag2;

// How many threads are between acquire and release. The update drains the buffer, but only after the thread has
// taken its decision to enter, so it hides no overlap.
static atomic_int inside;
static void critical_section(void) {
  assert(atomic_fetch_add_explicit(&inside, 1, memory_order_relaxed) == 0);
  atomic_fetch_sub_explicit(&inside, 1, memory_order_relaxed);
}

static void* first(void* unused) {
  STORE(flag1, 1);
  FULL_FENCE();
  while (LOAD(flag2))
    ;
  critical_section();
  STORE(flag1, 0);
  return unused;
}
static void* second(void* unused) {
start:
  STORE(flag2, 0);
  while (LOAD(flag1))
    ;
  STORE(flag2, 1);
  FULL_FENCE();
  if (LOAD(flag1))
    goto start;
  critical_section();
  STORE(flag2, 0);
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, first, 0);
  pthread_create(&b, 0, second, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
