// What is asked for in vain: bounds that are too small, abstractions that do not fit or are not complete.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

int *cells[3];

void *allocate(void *unused) {
  for (int i = 0; i < 3; ++i) {
    cells[i] = malloc(sizeof(int));
    *cells[i] = i;
  }
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, allocate, 0);
  pthread_join(thread, 0);
  assert(*cells[2] == 2);
  return 0;
}
