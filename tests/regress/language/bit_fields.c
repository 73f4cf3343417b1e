// Bit-fields: widths, signs, packing, wrap-around.
#include <assert.h>
struct s {
  unsigned a : 1, b : 7;
  int c : 5;
  unsigned long long d : 40;
} x;
int main(void) {
  x.a = 3;
  x.b = 127;
  x.c = 17;
  x.d = 1ULL << 39;
  assert(x.a == 1 && x.b == 127 && x.c == -15 && x.d == 549755813888ULL);
  x.b++;
  assert(x.b == 0 && x.a == 1);
  assert(sizeof(struct s) == 8);
  return 0;
}
