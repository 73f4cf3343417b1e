// The pointer is read once into a local, tested and used: never null.
#include <pthread.h>
int x;
int* volatile p = &x;
static void* user(void* unused) {
  int* mine = p;
  if (mine)
    *mine = 1;
  return unused;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, user, 0);
  p = 0;
  pthread_join(t, 0);
  return 0;
}
