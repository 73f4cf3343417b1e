// Atomic objects of 16 bytes: what a counted pointer is in lock-free stacks.
#include <assert.h>
#include <pthread.h>

typedef struct {
  void *head;
  unsigned long count;
} Counted;

static _Atomic Counted top;
static union {
  unsigned __int128 whole;
  unsigned long half[2];
} sum;
static unsigned long pair[2] __attribute__((aligned(16)));

/// The same by an instruction.
static _Bool exchange(unsigned long *place, unsigned long *expected, unsigned long low, unsigned long high) {
  _Bool done;
  __asm__ volatile("lock cmpxchg16b %0; setz %1"
                   : "+m"(*place), "=q"(done), "+a"(expected[0]), "+d"(expected[1])
                   : "b"(low), "c"(high)
                   : "memory", "cc");
  return done;
}

static void *count(void *argument) {
  Counted seen = top;
  Counted next;
  do {
    next.head = argument;
    next.count = seen.count + 1;
  } while (!__c11_atomic_compare_exchange_strong(
      &top, &seen, next, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE));
#ifdef MORE
  __atomic_fetch_add(&sum.whole, ((unsigned __int128)1 << 64) + ~0UL, __ATOMIC_SEQ_CST);
  unsigned long old[2] = {0, 0};
  while (!exchange(pair, old, old[0] + 1, old[1] + 2)) {
  }
#endif
  return 0;
}

int main(void) {
  pthread_t one, other;
  pthread_create(&one, 0, count, &one);
  pthread_create(&other, 0, count, &other);
  pthread_join(one, 0);
  pthread_join(other, 0);
  Counted last = top;
  assert(last.count == 2);
#ifdef WRONG
  assert(last.head == &one);
#else
  assert(last.head == &one || last.head == &other);
#endif
#ifdef MORE
  assert(sum.half[0] == -2UL && sum.half[1] == 3); // a carry from the lower half
  assert(pair[0] == 2 && pair[1] == 4);
  assert(!__sync_bool_compare_and_swap(&sum.whole, (unsigned __int128)7, (unsigned __int128)9));
  assert(__sync_bool_compare_and_swap(&sum.whole, sum.whole, (unsigned __int128)9));
  assert(sum.half[0] == 9 && sum.half[1] == 0);
#endif
  return 0;
}
