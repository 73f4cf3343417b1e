// No signed overflow: unsigned wrap-around and conversions are none.
#include <limits.h>
int main(void) {
  volatile unsigned u = UINT_MAX;
  u = u + 1;
  volatile int i = INT_MAX;
  volatile signed char c = 127;
  c = c + 1; // computed in int, then converted
  i = i - 1;
  i = i + 1;
  return 0;
}
