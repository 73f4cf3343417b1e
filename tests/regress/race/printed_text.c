// One thread prints what another one writes.
#include <pthread.h>
#include <stdio.h>
static char name[4] = "abc";
static char other[4] = "abc";
static void* writer(void* p) {
  (void)p;
  name[1] = 'x';
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, writer, 0);
#ifdef FINE
  printf("%s", other);
#else
  printf("%s", name);
#endif
  pthread_join(t, 0);
  printf("%s", name);
  return 0;
}
