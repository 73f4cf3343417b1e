// Dekker's first step and Peterson's lock, with the order of all accesses to be chosen.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef ORDER
#define ORDER memory_order_seq_cst
#endif
#define STORE(place, value) atomic_store_explicit(&place, value, ORDER)
#define LOAD(place) atomic_load_explicit(&place, ORDER)

static atomic_int wants[2], turn;
static atomic_int inside;

static void critical_section(void) {
  assert(atomic_fetch_add_explicit(&inside, 1, memory_order_relaxed) == 0);
  atomic_fetch_sub_explicit(&inside, 1, memory_order_relaxed);
}

#ifdef PETERSON
static void enter(int me) {
  STORE(wants[me], 1);
  STORE(turn, 1 - me);
  while (LOAD(wants[1 - me]) && LOAD(turn) == 1 - me)
    ;
  critical_section();
  STORE(wants[me], 0);
}
#else
static void enter(int me) {
  STORE(wants[me], 1);
  if (!LOAD(wants[1 - me]))
    critical_section(); // the wish stays: the other keeps out
}
#endif

static void *zero(void *unused) { enter(0); return 0; }
static void *one(void *unused) { enter(1); return 0; }

int main(void) {
  pthread_t t0, t1;
  pthread_create(&t0, 0, zero, 0);
  pthread_create(&t1, 0, one, 0);
  pthread_join(t0, 0);
  pthread_join(t1, 0);
  return 0;
}
