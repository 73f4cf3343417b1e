// Doubles and floats are computed as IEEE 754 says, with rounding to the nearest.
#include <assert.h>
volatile double tenth = 0.1;
volatile float third = 1.0f / 3.0f;
int main(void) {
  assert(tenth + 2 * tenth != 0.3); // 0.30000000000000004
  assert(tenth * 10 == 1);
  assert(third * 3 == 1 && third != 1.0 / 3.0);
  assert((int)(tenth * 25) == 2 && (int)(-2.75) == -2 && (unsigned)3.99f == 3);
  double big = 1e308, zero = 0;
  assert(big * 10 > big && -big * 10 == -1 / zero); // infinities
  double none = zero / zero;
  assert(none != none && !(none < 1) && !(none >= 1));
  assert(1 / -zero < 0 && -zero == zero);
  assert(9007199254740993LL == (long long)9007199254740992.0 + 1);
  assert((double)9007199254740993LL == 9007199254740992.0); // ties to even
  assert((float)16777217 == 16777216.0f);
  double smallest = 4.9406564584124654e-324;
  assert(smallest > 0 && smallest / 2 == 0 && smallest * 3 / 2 == smallest * 2);
  return 0;
}
