// Blocks are filled and copied whose sizes are only known to be within bounds: the end of the block is the end of the
// loop, not a bound.
#include <assert.h>
#include <pthread.h>
#include <string.h>

static unsigned char wanted;
static char page[24];
static char copy[24];

static void* worker(void* argument) {
  size_t size = wanted;
  memset(page, 1, size);
  memcpy(copy, page, size);
  return argument;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, worker, NULL);
  wanted = 20;
  pthread_join(thread, NULL);
  assert(copy[20] == 0);
#ifdef WRONG
  assert(copy[19] == 0);
#endif
  return 0;
}
