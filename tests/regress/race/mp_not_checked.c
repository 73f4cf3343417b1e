// Release and acquire, but the data is read whatever the flag says.
#include <pthread.h>
#include <stdatomic.h>
int data, copy;
atomic_int flag;
static void* producer(void* unused) {
  data = 1;
  atomic_store_explicit(&flag, 1, memory_order_release);
  return unused;
}
static void* consumer(void* unused) {
  atomic_load_explicit(&flag, memory_order_acquire);
  copy = data;
  return unused;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, producer, 0);
  pthread_create(&b, 0, consumer, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
