// Two phases of a computation, separated by barriers.
#include <pthread.h>
#include <assert.h>
#define N 2
pthread_barrier_t b;
int cell[N], next[N];
void* work(void* arg) {
  int id = *(int*)arg;
  for (int step = 0; step < 2; step++) {
    next[id] = cell[(id + 1) % N] + 1;
    pthread_barrier_wait(&b);
    cell[id] = next[id];
#ifndef ONE
    pthread_barrier_wait(&b);
#endif
#ifdef SHORT
    if (id == 1)
      break;
#endif
  }
  return 0;
}
int main() {
  pthread_t t[N];
  int ids[N];
  pthread_barrier_init(&b, NULL, N);
  for (int i = 0; i < N; i++) {
    ids[i] = i;
    pthread_create(&t[i], NULL, work, &ids[i]);
  }
  for (int i = 0; i < N; i++)
    pthread_join(t[i], NULL);
  pthread_barrier_destroy(&b);
  assert(cell[0] == 2 && cell[1] == 2);
}
