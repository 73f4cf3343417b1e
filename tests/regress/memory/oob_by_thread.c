// The index is checked, then changed by another thread before it is used.
#include <pthread.h>
int a[2];
volatile int i;
static void* user(void* unused) {
  if (i < 2)
    a[i] = 1;
  return unused;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, user, 0);
  i = 2;
  pthread_join(t, 0);
  return 0;
}
