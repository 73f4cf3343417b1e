// Each thread writes its own variable and reads the other's. Release and acquire do not rule out that both read 0;
// memory_order_seq_cst does. heddle executions examples/release_acquire.c --model rc11
#include <pthread.h>
#include <stdatomic.h>

atomic_int x, y;
int r1, r2;

static void *left(void *unused) {
  atomic_store_explicit(&x, 1, memory_order_release);
  r1 = atomic_load_explicit(&y, memory_order_acquire);
  return unused;
}

static void *right(void *unused) {
  atomic_store_explicit(&y, 1, memory_order_release);
  r2 = atomic_load_explicit(&x, memory_order_acquire);
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, left, 0);
  pthread_create(&b, 0, right, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
