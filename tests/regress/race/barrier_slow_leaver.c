// The second generation of the barrier may be over before a thread of the first one leaves it. What that thread reads was
// written before it arrived; relaxed flags order nothing by themselves.
#include <pthread.h>
#include <stdatomic.h>

static pthread_barrier_t barrier;
static atomic_int is_first_over;
static int data, later;

static void* writer(void* unused) {
  data = 1;
  pthread_barrier_wait(&barrier);
  atomic_store_explicit(&is_first_over, 1, memory_order_relaxed);
  return unused;
}
static void* reader(void* unused) {
  pthread_barrier_wait(&barrier);
  data = 2;
#ifdef LATER
  later = 2; // not after those of the second generation
#endif
  return unused;
}
static void* second(void* unused) {
  if (atomic_load_explicit(&is_first_over, memory_order_relaxed)) {
    if (unused)
      later = 1;
    pthread_barrier_wait(&barrier);
  }
  return 0;
}

int main(void) {
  pthread_t a, b, c, d;
  pthread_barrier_init(&barrier, 0, 2);
  pthread_create(&a, 0, writer, 0);
  pthread_create(&b, 0, reader, 0);
  pthread_create(&c, 0, second, 0);
  pthread_create(&d, 0, second, &later);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
