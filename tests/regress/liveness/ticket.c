// A ticket lock.
#include <pthread.h>
#include <stdatomic.h>
atomic_int next, serving;
static void* worker(void* unused) {
  int mine = atomic_fetch_add(&next, 1);
  while (atomic_load(&serving) != mine)
    ;
  atomic_store(&serving, mine + 1);
  return unused;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, worker, 0);
  pthread_create(&b, 0, worker, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
