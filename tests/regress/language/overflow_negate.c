// Signed overflow in negate.
#include <limits.h>
int main(void) {
  volatile int i = INT_MAX;
  i = -i - 1;
  i = -i;
  return 0;
}
