// Signed overflow in divide.
#include <limits.h>
int main(void) {
  volatile int i = INT_MAX;
  i = -i - 1;
  volatile int m = -1;
  i = i / m;
  return 0;
}
