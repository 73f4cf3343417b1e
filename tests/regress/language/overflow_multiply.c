// Signed overflow in multiply.
#include <limits.h>
int main(void) {
  volatile int i = INT_MAX;
  i = i * 2;
  return 0;
}
