// Compiler builtins real code uses.
#include <assert.h>
int main(void) {
  volatile unsigned u = 12;
  assert(__builtin_expect(u == 12, 1));
  assert(__builtin_ctz(u) == 2 && __builtin_clz(u) == 28 && __builtin_popcount(u) == 2);
  assert(__builtin_bswap32(u) == 0x0c000000);
  return 0;
}
