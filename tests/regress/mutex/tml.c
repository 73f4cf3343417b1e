// The transactional mutex lock: a writing and a reading transaction, without fences.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#define LOAD(a) atomic_load_explicit(&(a), memory_order_relaxed)
#define STORE(a, v) atomic_store_explicit(&(a), (v), memory_order_relaxed)
#define FULL_FENCE() atomic_thread_fence(memory_order_seq_cst)
#define STORE_STORE_FENCE() atomic_thread_fence(memory_order_release)


static atomic_int glb; // odd while a writing transaction runs
static atomic_int x, y;

static int begin(void) {
  int loc;
  do
    loc = LOAD(glb);
  while (loc & 1);
  return loc;
}
static void commit(int loc) {
  if (loc & 1) {
    STORE(glb, loc + 1);
  }
}
static void* writer(void* unused) {
  int loc = begin();
  if (!atomic_compare_exchange_strong_explicit(&glb, &loc, loc + 1, memory_order_relaxed, memory_order_relaxed))
    return unused; // aborted
  loc = loc + 1;
  STORE(x, 1);
  STORE(y, 1);
  commit(loc);
  return unused;
}
static void* reader(void* unused) {
  const int loc = begin();
  const int a = LOAD(x);
  if (LOAD(glb) != loc)
    return unused; // aborted
  const int b = LOAD(y);
  if (LOAD(glb) != loc)
    return unused; // aborted
  assert(a == b); // all of the writer's transaction or nothing of it
  commit(loc);
  return unused;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, writer, 0);
  pthread_create(&b, 0, reader, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
