// Signed overflow in subtract.
#include <limits.h>
int main(void) {
  volatile int i = INT_MAX;
  i = -2 - i;
  return 0;
}
