// Shared memory of every kind: a block from malloc behind a pointer, a local of main, fields of an array of structures, and what an index
// that was read picks. With BROKEN the counter is updated in two steps.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
struct pair {
  int first;
  long second;
};
struct pair pairs[2];
int *block;
int which;

void *worker(void *local) {
  int index = which;
  pairs[index].second = 5;
#ifdef BROKEN
  int old = *(int *)local;
  *(int *)local = old + 1;
#else
  __sync_fetch_and_add((int *)local, 1);
#endif
  *block = 3;
  return block;
}

int main(void) {
  pthread_t one, other;
  int count = 0;
  void *result;
  which = 1;
  block = malloc(sizeof *block);
  *block = 2;
  pthread_create(&one, 0, worker, &count);
  pthread_create(&other, 0, worker, &count);
  pthread_join(one, &result);
  pthread_join(other, 0);
  assert(count == 2);
  assert(*(int *)result == 3 && pairs[1].second == 5 && pairs[0].second == 0);
  free(block);
  return 0;
}
