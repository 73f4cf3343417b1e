// Signed overflow in increment.
#include <limits.h>
int main(void) {
  volatile int i = INT_MAX;
  i++;
  return 0;
}
