// Lamport's bakery for two threads, with a store-store fence between ticket and choosing as well.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#define LOAD(a) atomic_load_explicit(&(a), memory_order_relaxed)
#define STORE(a, v) atomic_store_explicit(&(a), (v), memory_order_relaxed)
#define FULL_FENCE() atomic_thread_fence(memory_order_seq_cst)
#define STORE_STORE_FENCE() atomic_thread_fence(memory_order_release)

static atomic_int choosing[2], number[2];

// How many threads are between acquire and release. The update drains the buffer, but only after the thread has
// taken its decision to enter, so it hides no overlap.
static atomic_int inside;
static void critical_section(void) {
  assert(atomic_fetch_add_explicit(&inside, 1, memory_order_relaxed) == 0);
  atomic_fetch_sub_explicit(&inside, 1, memory_order_relaxed);
}

static void acquire(int me) {
  const int other = 1 - me;
  STORE(choosing[me], 1);
  FULL_FENCE();
  const int mine = LOAD(number[other]) + 1;
  STORE(number[me], mine);
  STORE_STORE_FENCE();
  STORE(choosing[me], 0);
  FULL_FENCE();
  while (LOAD(choosing[other]))
    ;
  for (;;) {
    const int theirs = LOAD(number[other]);
    if (theirs == 0 || mine < theirs || (mine == theirs && me < other))
      break;
  }
}
static void release(int me) { STORE(number[me], 0); }

static void* first(void* unused) {
  acquire(0);
  critical_section();
  release(0);
  return unused;
}
static void* second(void* unused) {
  acquire(1);
  critical_section();
  release(1);
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
