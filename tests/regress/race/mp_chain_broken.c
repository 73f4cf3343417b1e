// A relaxed load in a middle thread does not pass the order on.
#include <pthread.h>
#include <stdatomic.h>
int data, copy;
atomic_int flag, second_flag;
static void* producer(void* unused) {
  data = 1;
  atomic_store_explicit(&flag, 1, memory_order_release);
  return unused;
}
static void* middle(void* unused) {
  if (atomic_load_explicit(&flag, memory_order_relaxed))
    atomic_store_explicit(&second_flag, 1, memory_order_release);
  return unused;
}
static void* consumer(void* unused) {
  if (atomic_load_explicit(&second_flag, memory_order_acquire)) {
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
