// Floating point that is not reached does not matter.
#include <assert.h>
int x;
static double half(double d) { return d / 2; }
int main(void) {
  if (x)
    x = (int)half(x);
  assert(x == 0);
  return 0;
}
