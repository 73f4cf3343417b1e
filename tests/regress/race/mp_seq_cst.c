// Message passing by seq_cst accesses.
#include <pthread.h>
#include <stdatomic.h>
int data, copy;
atomic_int flag;
static void* producer(void* unused) {
  data = 1;
  flag = 1;
  return unused;
}
static void* consumer(void* unused) {
  if (flag) {
    copy = data;
  }
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
