// The patterns that tell weak memory models apart, with the orders of stores (W) and loads (R) to be chosen.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef W
#define W memory_order_relaxed
#endif
#ifndef R
#define R memory_order_relaxed
#endif
#define STORE(place, value) atomic_store_explicit(&place, value, W)
#define LOAD(place) atomic_load_explicit(&place, R)

static atomic_int x, y;
static int a, b, c, d;

#if defined(SB)
static void *one(void *unused) { STORE(x, 1); a = LOAD(y); return 0; }
static void *two(void *unused) { STORE(y, 1); b = LOAD(x); return 0; }
#define FORBIDDEN (a == 0 && b == 0)
#elif defined(MP)
static void *one(void *unused) { atomic_store_explicit(&x, 1, memory_order_relaxed); STORE(y, 1); return 0; }
static void *two(void *unused) { a = LOAD(y); b = atomic_load_explicit(&x, memory_order_relaxed); return 0; }
#define FORBIDDEN (a == 1 && b == 0)
#elif defined(LB)
static void *one(void *unused) { a = LOAD(x); STORE(y, 1); return 0; }
static void *two(void *unused) { b = LOAD(y); STORE(x, 1); return 0; }
#define FORBIDDEN (a == 1 && b == 1)
#elif defined(IRIW)
#define FOUR
static void *one(void *unused) { STORE(x, 1); return 0; }
static void *two(void *unused) { STORE(y, 1); return 0; }
static void *three(void *unused) { a = LOAD(x); b = LOAD(y); return 0; }
static void *four(void *unused) { c = LOAD(y); d = LOAD(x); return 0; }
#define FORBIDDEN (a == 1 && b == 0 && c == 1 && d == 0)
#endif

int main(void) {
  pthread_t t1, t2;
  pthread_create(&t1, 0, one, 0);
  pthread_create(&t2, 0, two, 0);
#ifdef FOUR
  pthread_t t3, t4;
  pthread_create(&t3, 0, three, 0);
  pthread_create(&t4, 0, four, 0);
  pthread_join(t3, 0);
  pthread_join(t4, 0);
#endif
  pthread_join(t1, 0);
  pthread_join(t2, 0);
  assert(!FORBIDDEN);
  return c + d;
}
