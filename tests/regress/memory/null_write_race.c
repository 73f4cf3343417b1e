// A pointer is set to null by one thread between the other thread's test and its use.
#include <pthread.h>
int x;
int* volatile p = &x;
static void* user(void* unused) {
  if (p)
    *p = 1;
  return unused;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, user, 0);
  p = 0;
  pthread_join(t, 0);
  return 0;
}
