// Where objects lie is not C's business: a proof that looks at it is one for the addresses chosen here.
#include <assert.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static char first, second;
static char* blocks[2];

int main(void) {
#if defined(GLOBALS)
  assert(&first < &second);
#elif defined(PAGE)
  assert((uintptr_t)&first % 4096 == 0);
#elif defined(ONE_SITE)
  for (int i = 0; i < 2; i++)
    blocks[i] = malloc(1);
  if (blocks[0] > blocks[1])
    assert(0);
#elif defined(HASH)
  char* p = malloc(8);
  unsigned bucket = ((uintptr_t)p >> 4) % 8;
  static int table[8];
  table[bucket] = 1;
  assert(table[0] + table[1] + table[2] + table[3] + table[4] + table[5] + table[6] + table[7] == 1);
#elif defined(NARROW)
  int low = (int)(uintptr_t)&first;
  assert(low != 5);
#elif defined(PUN)
  union {
    void* pointer;
    uintptr_t number;
  } both;
  both.pointer = &first;
  assert(both.number != 77777);
#elif defined(DIFFERENCE)
  assert((uintptr_t)&second - (uintptr_t)&first > 1);
#elif defined(BYTES)
  char *one = &first, *two = &second;
  assert(memcmp(&one, &two, sizeof one) < 0);
#endif
  return 0;
}
