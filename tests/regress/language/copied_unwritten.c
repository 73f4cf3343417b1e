// A copy of memory that nobody has written is unwritten, too: it holds something of its own when it is read. What somebody
// has read before holds what was read.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

struct pair {
  char first;
  char second;
};
static struct pair* block;
static struct pair copy, another;
static char found;
static int has_read;

static void* reader(void* unused) {
  found = block->second;
  has_read = 1;
  return unused;
}

int main(void) {
#ifdef SHARED
  pthread_t thread;
  block = malloc(sizeof *block);
  block->first = 1;
  pthread_create(&thread, 0, reader, 0);
  const int was_read = has_read;
  copy = *block;
  pthread_join(thread, 0);
  another = *block;
  assert(another.second == found);
#ifdef AFTER
  assert(!was_read || copy.second == found);
#else
  assert(was_read >= 0 && copy.second == found);
#endif
#else
  struct pair local, second;
  local.first = 1;
  second = local;
#ifdef READ
  const char seen = local.second;
  second = local;
  assert(second.second == seen && second.first == 1);
#elif defined TWICE
  struct pair third = second;
  assert(third.second == second.second);
#else
  assert(second.second == 0);
#endif
#endif
  return 0;
}
