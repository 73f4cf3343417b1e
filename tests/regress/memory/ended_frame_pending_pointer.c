// A pointer to an ended frame is only in the thread's own store buffer when the next frame begins.
#include <assert.h>
#include <pthread.h>
int* p;
static int* first(void) {
  int x = 0;
  int* volatile address = &x;
  return address;
}
static void second(void) {
  int y = 0;
  assert(p != &y);
}
static void* reader(void* unused) {
  (void)*(int* volatile*)&p;
  return unused;
}
int main(void) {
  pthread_t a;
  pthread_create(&a, 0, reader, 0);
  p = first();
  __sync_synchronize();
  p = 0;
  p = first();
  second();
  pthread_join(a, 0);
  return 0;
}
