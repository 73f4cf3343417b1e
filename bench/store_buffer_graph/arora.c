// The work-stealing queue of Arora, Blumofe and Plaxton: an owner that pushes (u) and pops (o), thieves that steal (s).
// FENCES: 0 none, 1 those TSO needs, 2 (unless given) those PSO needs.
// OWNER: the owner's calls, e.g. u u o; THIEVES: 1, 2 or 3; STEALS: how often each thief steals.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#define LOAD(a) atomic_load_explicit(&(a), memory_order_relaxed)
#define STORE(a, v) atomic_store_explicit(&(a), (v), memory_order_relaxed)
#ifndef FENCES
#define FENCES 2
#endif
#if FENCES >= 1
#define FULL_FENCE() atomic_thread_fence(memory_order_seq_cst)
#else
#define FULL_FENCE()
#endif
#if FENCES >= 2
#define STORE_STORE_FENCE() atomic_thread_fence(memory_order_release)
#else
#define STORE_STORE_FENCE()
#endif

// age: the index of the oldest element in the upper half, a tag against ABA in the lower half.
#define TOP(age) ((age) >> 16)
#define TAG(age) ((age)&0xffff)
#define AGE(top, tag) ((top) << 16 | (tag))
enum { kEmpty = 0, kAbort = -1 };
static atomic_int deq[4];
static atomic_int bottom, age;

static void push_bottom(int value) {
  const int b = LOAD(bottom);
  STORE(deq[b], value);
  STORE_STORE_FENCE();
  STORE(bottom, b + 1);
}
static int pop_bottom(void) {
  int b = LOAD(bottom);
  if (b == 0)
    return kEmpty;
  b = b - 1;
  STORE(bottom, b);
  FULL_FENCE();
  const int value = LOAD(deq[b]);
  int old = LOAD(age);
  if (b > TOP(old))
    return value;
  STORE(bottom, 0);
  const int fresh = AGE(0, TAG(old) + 1);
  if (b == TOP(old) && atomic_compare_exchange_strong(&age, &old, fresh))
    return value;
  STORE_STORE_FENCE();
  STORE(age, fresh);
  return kEmpty;
}
static int pop_top(void) {
  int old = LOAD(age);
  if (LOAD(bottom) <= TOP(old))
    return kEmpty;
  const int value = LOAD(deq[TOP(old)]);
  if (!atomic_compare_exchange_strong(&age, &old, AGE(TOP(old) + 1, TAG(old))))
    return kAbort;
  assert(value > 0); // it is there before bottom says so
  return value;
}

// What each thread has taken, one bit for each element; told when it ends, so that telling orders nothing before.
static int owner_took, thief_took[3];
#define TAKE(mine, result)                                                                                                               \
  do {                                                                                                                                   \
    const int value = (result);                                                                                                          \
    if (value > 0) {                                                                                                                     \
      assert(!((mine) >> value & 1));                                                                                                    \
      (mine) |= 1 << value;                                                                                                              \
    }                                                                                                                                    \
  } while (0)

#define u push_bottom(++pushed);
#define o TAKE(mine, pop_bottom());
static void* owner(void* unused) {
  int mine = 0, pushed = 0;
  OWNER
  owner_took = mine;
  return unused;
}
static void* thief(void* slot) {
  int mine = 0;
  TAKE(mine, pop_top());
#if STEALS > 1
  TAKE(mine, pop_top());
#endif
#if STEALS > 2
  TAKE(mine, pop_top());
#endif
  *(int*)slot = mine;
  return 0;
}
int main(void) {
  pthread_t a, b, c, d;
  pthread_create(&a, 0, owner, 0);
  pthread_create(&b, 0, thief, &thief_took[0]);
#if THIEVES > 1
  pthread_create(&c, 0, thief, &thief_took[1]);
#endif
#if THIEVES > 2
  pthread_create(&d, 0, thief, &thief_took[2]);
#endif
#if THIEVES > 2
  pthread_join(d, 0);
#endif
#if THIEVES > 1
  pthread_join(c, 0);
#endif
  pthread_join(a, 0);
  pthread_join(b, 0);
  const int thieves = thief_took[0] | thief_took[1] | thief_took[2];
  assert(!(owner_took & thieves));
  assert((thief_took[0] & thief_took[1]) == 0 && (thief_took[0] & thief_took[2]) == 0 && (thief_took[1] & thief_took[2]) == 0);
  return 0;
}
