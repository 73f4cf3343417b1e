// Threads whose functions have locals in memory: store-buffer graphs are of whole threads, so these must be inlined, too.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x, y;
static int first_read, second_read;

static void take(atomic_int* from, int* into) { *into = atomic_load_explicit(from, memory_order_relaxed); }

#if defined(UNWRITTEN)
// The second call must not find what the first has left in its local.
static int once(int is_set) {
  int seen[2];
  if (is_set)
    take(&x, &seen[1]);
  return seen[1] == 0;
}
static void* first(void* unused) {
  first_read = once(1);
  first_read = once(0);
  return unused;
}
static void* second(void* unused) { return unused; }
#define CORRECT first_read == 1 // the second call may find anything
#elif defined(KEPT)
// A global knows the address when the frame has ended: this function keeps its frame.
static int* known;
static void publish(int* place) { known = place; }
static int sb(atomic_int* mine, atomic_int* other) {
  int seen = 0;
  atomic_store_explicit(mine, 1, memory_order_relaxed);
  publish(&seen);
  take(other, &seen);
  return seen;
}
static void* first(void* unused) {
  first_read = sb(&x, &y);
  return unused;
}
static void* second(void* unused) {
  atomic_store_explicit(&y, 1, memory_order_relaxed);
  second_read = atomic_load_explicit(&x, memory_order_relaxed);
  return unused;
}
#define CORRECT first_read || second_read
#elif defined(RECURSIVE)
static int sb(atomic_int* mine, atomic_int* other, int depth) {
  if (depth > 0)
    return sb(mine, other, depth - 1);
  atomic_store_explicit(mine, 1, memory_order_relaxed);
  return atomic_load_explicit(other, memory_order_relaxed);
}
static void* first(void* unused) {
  first_read = sb(&x, &y, 1);
  return unused;
}
static void* second(void* unused) {
  second_read = sb(&y, &x, 1);
  return unused;
}
#define CORRECT first_read || second_read
#else
static int sb(atomic_int* mine, atomic_int* other) {
  int seen[2] = {7, 8};
  atomic_store_explicit(mine, 1, memory_order_relaxed);
#ifdef FENCED
  atomic_thread_fence(memory_order_seq_cst);
#endif
  take(other, &seen[1]);
  return seen[0] == 7 ? seen[1] : 5;
}
// Both calls of one function, and calls within calls, share a place.
static int within(atomic_int* mine, atomic_int* other) {
  int before;
  take(other, &before);
  const int after = sb(mine, other);
  return after >= before ? after : 6;
}
#ifdef POINTER
static int (*ways[2])(atomic_int*, atomic_int*) = {sb, within};
#define CALL(way, number) ways[number]
#else
#define CALL(way, number) way
#endif
static void* first(void* unused) {
  first_read = CALL(sb, 0)(&x, &y);
  first_read = CALL(within, 1)(&x, &y);
  return unused;
}
static void* second(void* unused) {
  atomic_store_explicit(&y, 1, memory_order_relaxed);
#ifdef FENCED
  atomic_thread_fence(memory_order_seq_cst);
#endif
  second_read = atomic_load_explicit(&x, memory_order_relaxed);
  return unused;
}
#define CORRECT (first_read == 1 || second_read == 1) && first_read < 2
#endif

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, first, 0);
  pthread_create(&b, 0, second, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(CORRECT);
  return 0;
}
