// Enumerations.
#include <assert.h>
enum colour { kRed, kGreen = 5, kBlue };
int main(void) {
  volatile enum colour c = kBlue;
  assert(c == 6 && kRed == 0);
  return 0;
}
