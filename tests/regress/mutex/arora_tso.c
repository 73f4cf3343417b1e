// The work-stealing queue of Arora, Blumofe and Plaxton: an owner pushes and pops, a thief steals, with the full fence that TSO needs in pop_bottom.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#define LOAD(a) atomic_load_explicit(&(a), memory_order_relaxed)
#define STORE(a, v) atomic_store_explicit(&(a), (v), memory_order_relaxed)
#define FULL_FENCE() atomic_thread_fence(memory_order_seq_cst)
#define STORE_STORE_FENCE() atomic_thread_fence(memory_order_release)


// age: the index of the oldest element in the upper half, a tag against ABA in the lower half.
#define TOP(age) ((age) >> 16)
#define TAG(age) ((age)&0xffff)
#define AGE(top, tag) ((top) << 16 | (tag))
enum { kEmpty = 0, kAbort = -1, kElements = 2 };
static atomic_int deq[4];
static atomic_int bottom, age;

static void push_bottom(int value) {
  const int b = LOAD(bottom);
  STORE(deq[b], value);
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
  STORE(age, fresh);
  return kEmpty;
}
static int pop_top(void) {
  int old = LOAD(age);
  if (LOAD(bottom) <= TOP(old))
    return kEmpty;
  const int value = LOAD(deq[TOP(old)]);
  if (atomic_compare_exchange_strong(&age, &old, AGE(TOP(old) + 1, TAG(old))))
    return value;
  return kAbort;
}

static atomic_int taken[kElements + 1];
static void take(int value) {
  if (value == kAbort || value == kEmpty)
    return;
  assert(atomic_fetch_add(&taken[value], 1) == 0); // no element is taken twice
}

static void* owner(void* unused) {
  push_bottom(1);
  push_bottom(2);
  take(pop_bottom());
  return unused;
}
static void* thief(void* unused) {
  take(pop_top());
  take(pop_top());
  return unused;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, owner, 0);
  pthread_create(&b, 0, thief, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  for (int i = 0; i < kElements; ++i)
    take(pop_bottom());
  for (int value = 1; value <= kElements; ++value)
    assert(LOAD(taken[value]) == 1); // no element is lost
  return 0;
}
