// The store-buffering test: each thread writes its own variable and reads the other's. Both reading 0 is impossible when
// threads interleave, and possible when stores wait in buffers. heddle outcomes examples/store_buffering.c --model tso
#include <pthread.h>

volatile int x, y;
int r1, r2;

static void *left(void *unused) {
  x = 1;
  r1 = y;
  return unused;
}

static void *right(void *unused) {
  y = 1;
  r2 = x;
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, left, 0);
  pthread_create(&b, 0, right, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
