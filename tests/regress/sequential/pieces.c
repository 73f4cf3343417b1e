// Memory that is accessed in pieces of different sizes has no cells.
#include <pthread.h>
union {
  int whole;
  char bytes[4];
} shared;

void *writer(void *unused) {
  shared.bytes[1] = 1;
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, writer, 0);
  return shared.whole;
}
