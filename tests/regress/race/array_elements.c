// Different elements of one array, indices from arguments.
#include <pthread.h>
int a[2];
static void* worker(void* p) {
  *(int*)p = 1;
  return 0;
}
int main(void) {
  pthread_t t, u;
  pthread_create(&t, 0, worker, &a[0]);
  pthread_create(&u, 0, worker, &a[1]);
  pthread_join(t, 0);
  pthread_join(u, 0);
  return 0;
}
