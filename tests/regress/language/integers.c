// Integer arithmetic of all widths, signs and conversions.
#include <assert.h>
int main(void) {
  volatile int seven = 7, minus = -7;
  assert(seven / 2 == 3 && minus / 2 == -3 && minus % 2 == -1);
  assert((unsigned)minus > 5u && minus < 5);
  assert((unsigned char)300 == 44 && (signed char)200 == -56);
  assert((short)0x18000 == -32768 && (long long)minus == -7LL);
  assert((unsigned)minus >> 28 == 15 && minus >> 1 == -4 && seven << 3 == 56);
  assert((seven ^ 2) == 5 && (~seven & 15) == 8 && !seven == 0);
  unsigned long long big = 1;
  big = big << 40;
  assert(big * 3 == 3298534883328ULL && big % 1000 == 776);
  _Bool b = seven;
  assert(b == 1);
  return 0;
}
