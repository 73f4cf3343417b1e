// Peterson's lock without fences is not robust.
#include <pthread.h>
#include <stdatomic.h>
atomic_int flag[2], turn;
static void acquire(int me) {
  atomic_store_explicit(&flag[me], 1, memory_order_relaxed);
  atomic_store_explicit(&turn, 1 - me, memory_order_relaxed);
  while (atomic_load_explicit(&flag[1 - me], memory_order_relaxed) &&
         atomic_load_explicit(&turn, memory_order_relaxed) == 1 - me)
    ;
}
static void* first(void* unused) {
  acquire(0);
  atomic_store_explicit(&flag[0], 0, memory_order_relaxed);
  return unused;
}
static void* second(void* unused) {
  acquire(1);
  atomic_store_explicit(&flag[1], 0, memory_order_relaxed);
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
