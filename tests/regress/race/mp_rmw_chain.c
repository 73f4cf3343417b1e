// A relaxed read-modify-write between release and acquire keeps the release sequence alive.
#include <pthread.h>
#include <stdatomic.h>
int data, copy;
atomic_int flag;
static void* producer(void* unused) {
  data = 1;
  atomic_store_explicit(&flag, 1, memory_order_release);
  return unused;
}
static void* middle(void* unused) {
  atomic_fetch_add_explicit(&flag, 2, memory_order_relaxed);
  return unused;
}
static void* consumer(void* unused) {
  if (atomic_load_explicit(&flag, memory_order_acquire) == 3) {
    copy = data;
  }
  return unused;
}
int main(void) {
  pthread_t a, b, c;
  pthread_create(&a, 0, producer, 0);
  pthread_create(&b, 0, middle, 0);
  pthread_create(&c, 0, consumer, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  pthread_join(c, 0);
  return 0;
}
